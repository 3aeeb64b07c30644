import type { Faulty, Line } from '../record/faults.ts';

/** The longest record, with every character of its name and of 20 declared texts escaped, has a little less. */
export const MAX_LINE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** The same of other records. */
export async function* readJsonLinesBy<Parsed extends object>(
  parse: (record: unknown) => Parsed | Faulty,
  source: AsyncIterable<Buffer>,
): AsyncGenerator<readonly Line<Parsed>[]> {
  let line = 0;
  for await (const lines of splitLines(source)) {
    const batch: Line<Parsed>[] = [];
    for (const bytes of lines) {
      line += 1;
      const parsed = parseJsonLine(bytes, line === 1, parse);
      if (!parsed) continue;
      batch.push('faults' in parsed ? { line, ...parsed, source: bytes.toString() } : { line, ...parsed });
    }
    yield batch;
  }
}

/** A line of JSON; `null` for an empty one. */
export function parseJsonLine<Parsed>(
  bytes: Buffer,
  first: boolean,
  parse: (record: unknown) => Parsed | Faulty,
): Parsed | Faulty | null {
  if (isTooLong(bytes)) return lineFault(`longer than ${MAX_LINE_BYTES} bytes`);
  const text = decode(bytes, first);
  if (text === undefined) return lineFault('not UTF-8');
  if (text.trim() === '') return null;
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return lineFault('not JSON');
  }
  return parse(record);
}

function lineFault(problem: string): Faulty {
  return { faults: [{ field: null, problem }] };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer, first: boolean): string | undefined {
  try {
    const text = utf8.decode(bytes);
    return first && text.startsWith('\uFEFF') ? text.slice(1) : text;
  } catch {
    return undefined;
  }
}

/** The lines that end in each chunk, without their newlines. Of one that is too long the rest is dropped. */
export async function* splitLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const lines: Buffer[] = [];
    let start = 0;
    const buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (let end = buffer.indexOf(NEWLINE); end >= 0; end = buffer.indexOf(NEWLINE, start)) {
      lines.push(withoutRest(buffer.subarray(start, end)));
      start = end + 1;
    }
    rest = withoutRest(buffer.subarray(start));
    yield lines;
  }
  if (rest.length > 0) yield [rest];
}

const withoutRest = (line: Buffer) => line.subarray(0, MAX_LINE_BYTES + 1);

/** Whether the line that `splitLines` gave isn't whole. */
export const isTooLong = (line: Buffer) => line.length > MAX_LINE_BYTES;
