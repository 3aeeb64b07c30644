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
