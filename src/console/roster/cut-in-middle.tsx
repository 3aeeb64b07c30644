/** How much of an ID's end is always seen, and of a hint's: some of a key's random part, the dots and the end. */
const END_OF_ID = 4;
export const END_OF_HINT = 10;

/** A text that is cut in its middle where it has no room. Screen readers, the title and a selection have the whole text. */
export function Middle({ text, end = END_OF_ID }: { readonly text: string; readonly end?: number }) {
  const at = Math.max(0, text.length - end);
  return (
    <span class="middle mono" style={{ '--end': `${end}ch` }} title={text}>
      <span>{text.slice(0, at)}</span>
      <span>{text.slice(at)}</span>
    </span>
  );
}
