/** How files begin that have people and are no text, and what to do with them. */
const NO_TEXT = {
  'PK\x03\x04': 'it is a workbook of Excel or an archive: save the sheet as CSV UTF-8',
  '\xd0\xcf\x11\xe0': 'it is a workbook of an old Excel: save the sheet as CSV UTF-8',
  '\x1f\x8b': 'it is compressed: unpack it',
  '%PDF': 'it is a PDF: export CSV or JSON',
};

/** The text of an export, which Excel writes in UTF-16 too. Throws why there is none. */
export function textOfBytes(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 4));
  for (const [first, problem] of Object.entries(NO_TEXT))
    if (start.startsWith(first)) throw new Error(problem);
  const isLittleEndian = /^(\xff\xfe|[^\0]\0)/.test(start);
  const isBigEndian = /^(\xfe\xff|\0[^\0])/.test(start);
  const encoding = isLittleEndian ? 'utf-16le' : isBigEndian ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Error('it is not in UTF-8 or UTF-16: save it as CSV UTF-8');
  }
}
