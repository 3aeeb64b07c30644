/**
 * Without what makes no difference to a person: case, width, composed accents, characters that nobody sees. Lower, upper and
 * lower case again, because the lower case of `ẞ` is `ß`, and only the upper case of that is `SS`. A final sigma is a sigma,
 * and the lower case of `İ` has a dot of its own.
 */
export function folded(text: string): string {
  const lower = withoutIgnorable(text)
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');
  return lower.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i');
}

/** Without zero-width characters, soft hyphens and the like. */
export function withoutIgnorable(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
}

/** A name around what was found in it. */
export interface NameParts {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How much of a long name is shown before the match, so that a cut row still shows the match. In characters. */
const MAX_BEFORE = 24;

/** The first place of the text in the name; `null`: it isn't there. */
export function namePartsOf(name: string, text: string): NameParts | null {
  const wanted = folded(text);
  const parts = [...graphemes.segment(name)].map(({ segment }) => ({ segment, folded: folded(segment) }));
  const at = parts
    .map(each => each.folded)
    .join('')
    .indexOf(wanted);
  if (wanted === '' || at < 0) return null;
  let [start, index] = [0, 0];
  let before = '';
  let match = '';
  for (const part of parts) {
    start = index;
    index += part.folded.length;
    if (index <= at) before += part.segment;
    else if (start < at + wanted.length) match += part.segment;
  }
  const after = name.slice(before.length + match.length);
  return { before: before.length > MAX_BEFORE ? `…${before.slice(-MAX_BEFORE)}` : before, match, after };
}
