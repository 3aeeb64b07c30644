/** The masked form of an API key: a fixed prefix, an ellipsis of three dots, the last few characters (docs/api.md#the-record). */
export type PartialKeyHint = string & { readonly kind: 'PartialKeyHint' };

/** Long enough for a prefix that names vendor, type and version; too short for a key. */
const MAX_PREFIX = 32;
/** Enough for a person to tell two keys apart. */
const MAX_SUFFIX = 8;

/** The visible ASCII that keys consist of, without characters that JSON escapes. */
const KEY_CHARACTER = 'A-Za-z0-9_.+/=~-';

export const PARTIAL_KEY_HINT_PATTERN = `^[${KEY_CHARACTER}]{1,${MAX_PREFIX}}\\.\\.\\.[A-Za-z0-9_+/=~-]{1,${MAX_SUFFIX}}$`;
export const PARTIAL_KEY_HINT_RULE =
  `must be masked: 1 to ${MAX_PREFIX} characters of the key's prefix, "...", ` +
  `and the last 1 to ${MAX_SUFFIX}, such as sk-ven-api03-R2D...igAA`;

const hintPattern = new RegExp(PARTIAL_KEY_HINT_PATTERN);

export function parsePartialKeyHint(text: unknown): PartialKeyHint | undefined {
  return typeof text === 'string' && hintPattern.test(text) ? (text as PartialKeyHint) : undefined;
}

/** A hint with fewer visible characters would match ordinary words. */
const MIN_SHOWN = 6;
/** A word with fewer characters between prefix and suffix isn't a key. */
const MIN_HIDDEN = 8;

/** Whether the text contains the key that the hint masks: a word with the hint's prefix and suffix, and more between them. */
export function containsMaskedKey(hint: PartialKeyHint, text: string): boolean {
  const ellipsis = hint.lastIndexOf('...');
  const prefix = hint.slice(0, ellipsis);
  const suffix = hint.slice(ellipsis + 3);
  if (prefix.length + suffix.length < MIN_SHOWN) return false;
  for (let start = text.indexOf(prefix); start >= 0; start = text.indexOf(prefix, start + 1)) {
    const afterPrefix = text.slice(start + prefix.length);
    const word = keyCharacters.exec(afterPrefix)?.[0] ?? '';
    if (word.lastIndexOf(suffix) >= MIN_HIDDEN) return true;
  }
  return false;
}

const keyCharacters = new RegExp(`^[${KEY_CHARACTER}]+`);
