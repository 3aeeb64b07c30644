/** A word of a command that somebody may copy into a shell, as IDs have characters that mean something there. */
export function shellWord(word: unknown): string {
  const text = String(word);
  return /^[\w./:@-][\w./:@~-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
