import { withoutIgnorable } from './folded.ts';

/** Undoes what programs do to a text around a key: its words are then as they were. What is in Base64 stands behind it. */
export function plainText(text: string): string {
  const plain = withoutIgnorable(text)
    .normalize('NFKC')
    .replace(/\\\r?\n\s*/g, '') // a line that goes on
    .replace(/\\[nrt]/g, ' ')
    .replace(/\\(?:u00|x)([2-7][\da-f])/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/%([2-7][\da-f])/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(CONTROL, '');
  const decoded = [...decodedWords(plain)];
  return [plain, ...decoded, ...decoded.flatMap(text => [...decodedWords(text)])].join('\n'); // twice, as in a Secret
}

/** Without colours and links of a terminal. Where a link leads to is a word of its own. */
export function withoutTerminalCodes(text: string): string {
  return text
    .replace(LINK, ' $1 ')
    .replace(/(?![\t\n\r])\p{Cc}\[[\d;:]*[mK]/gu, '')
    .replace(/(?![\t\n\r])\p{Cc}\[[\d;:?]*[A-Za-z]/gu, ' ');
}

const LINK = /(?![\t\n\r])\p{Cc}\]8;[^;\p{Cc}]*;([^\p{Cc}]*)\p{Cc}\\*/gu;

/** But those that separate words. */
const CONTROL = /(?![\t\n\r])\p{Cc}/gu;

/** Shorter ones hold no key. */
const MIN_BASE64 = 16;
/** What isn't in them, with their padding: to look for words themselves overflows the stack where one has megabytes. */
const NOT_BASE64 = /[^A-Za-z0-9+/_-]/;
const UNPRINTABLE = /[^\n\r\t -~]/;

/** Those that are text, as of `Basic`, or of a Secret in Kubernetes. Random bytes aren't. */
function* decodedWords(text: string): Generator<string> {
  for (const word of text.split(NOT_BASE64)) {
    if (word.length < MIN_BASE64) continue;
    try {
      const decoded = atob(word.replaceAll('-', '+').replaceAll('_', '/'));
      if (!UNPRINTABLE.test(decoded)) yield decoded;
    } catch {} // it isn't Base64
  }
}
