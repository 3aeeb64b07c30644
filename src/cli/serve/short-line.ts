/** The log line with its long texts cut, such as the stack of an error, when it has more bytes than that. */
export function shortLine(line: string, maxBytes: number): string {
  if (Buffer.byteLength(line) <= maxBytes) return line;
  const fields: unknown = JSON.parse(line);
  for (let max = maxBytes >> 2; ; max >>= 1) {
    const cut = (_: string, value: unknown) =>
      typeof value === 'string' && value.length > max ? `${value.slice(0, max)}…` : value;
    const short = `${JSON.stringify(fields, cut)}\n`;
    if (max === 0 || Buffer.byteLength(short) <= maxBytes) return short;
  }
}
