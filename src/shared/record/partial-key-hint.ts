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
  if (prefix.length + suffix.length < MIN_SHOWN || !text.includes(prefix)) return false;
  return text.split(notOfKeys).some(word => {
    const start = word.indexOf(prefix);
    return start >= 0 && word.lastIndexOf(suffix) - (start + prefix.length) >= MIN_HIDDEN;
  });
}

const notOfKeys = new RegExp(`[^${KEY_CHARACTER}]+`);

/** Of the random part, as much as tells two keys apart. */
const SHOWN_AT_START = 3;
const MAX_FIXED = MAX_PREFIX - SHOWN_AT_START;
const SHOWN_AT_END = /[A-Za-z0-9_+/=~-]{1,4}$/;
/** 64 bits even where all of them are hexadecimal digits: too many to be guessed. */
const MIN_HIDDEN_OF_KEY = 16;

/**
 * The hint of a new API key: its prefix, three characters, an ellipsis, the last four. The prefix is what all keys of the kind begin
 * with, such as `sk-acme-api03-`; `''` where they begin with random characters. Throws a `TypeError` for a key of which too little
 * would stay secret. Nothing keeps the key, and no error has it.
 */
export function partialKeyHint(secret: string, prefix: string): string {
  try {
    return hintOf(secret, prefix);
  } finally {
    // What regular expressions remember of the last text that matched (`RegExp.$_`) is this one now, and not the key.
    /^/.test('');
  }
}

function hintOf(secret: unknown, prefix: unknown): string {
  if (typeof secret !== 'string' || !wholeKey.test(secret))
    throw new TypeError('secret: must be text of A-Z a-z 0-9 _ . + / = ~ - that does not end in a dot');
  if (typeof prefix !== 'string' || prefix.length > MAX_FIXED || !secret.startsWith(prefix))
    throw new TypeError(
      `prefix: must be what the secret begins with, at most ${MAX_FIXED} characters; '' where your keys have none`,
    );
  const start = secret.slice(0, prefix.length + SHOWN_AT_START);
  const end = SHOWN_AT_END.exec(secret)?.[0] ?? '';
  if (secret.length - start.length - end.length < MIN_HIDDEN_OF_KEY)
    throw new TypeError(
      `secret: is too short to be masked: at least ${MIN_HIDDEN_OF_KEY} characters must stay hidden`,
    );
  const hint = `${start}...${end}`;
  // Also makes a text of its own, where the parts refer to the key.
  if (!parsePartialKeyHint(hint)) throw new Error('the hint breaks its rule');
  return hint;
}

const wholeKey = new RegExp(`^[${KEY_CHARACTER}]*[A-Za-z0-9_+/=~-]$`);
