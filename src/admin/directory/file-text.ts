/** What no text has, and each workbook, archive and PDF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const NO_TEXT = /[\0-\x08]/;

/** The text of an export, which Excel writes in UTF-16 too. Throws why there is none. */
export function textOfBytes(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isLittleEndian = first === 0xff || second === 0;
  const isBigEndian = first === 0xfe || first === 0;
  const encoding = isLittleEndian ? 'utf-16le' : isBigEndian ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!NO_TEXT.test(text)) return text;
  } catch {} // the same problem
  throw new Error('it is no text in UTF-8 or UTF-16: save a sheet as CSV UTF-8, and unpack an archive');
}
