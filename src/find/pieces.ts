/** In characters: ten times the longest name. A longer text is judged in pieces, and only keys and IDs are looked for in it. */
export const MAX_TEXT = 10_000;
/** Pieces have this much in common: more than any key that is broken into lines. */
const OVERLAP = 1_000;

/** Ends each at a blank or a line break where there is one, so that no key is cut. */
export function* piecesOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > MAX_TEXT) {
    const end = start + MAX_TEXT;
    const blank = lastBlank(text, start + MAX_TEXT / 2, end);
    yield text.slice(start, blank);
    start = lastBlank(text, blank - 2 * OVERLAP, blank - OVERLAP);
  }
  yield text.slice(start);
}

/** Where the last blank between both is; the end without one. */
function lastBlank(text: string, start: number, end: number): number {
  const at = text.slice(start, end).search(/\s\S*$/);
  return at < 0 ? end : start + at;
}
