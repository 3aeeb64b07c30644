/** Whether the terminal knows no escape sequences, as that of an editor: no colour and no progress bar. Windows has no TERM. */
export function isDumb(): boolean {
  const { TERM = '' } = process.env;
  return process.platform !== 'win32' && (TERM === '' || TERM === 'dumb');
}
