/** A source in pieces, as files and pipes hand it over, and what a reader made of it. */
import type { ImportLine } from '../../src/roster/roster.ts';

/** The bytes in pieces of this size; absent: in one. */
export async function* chunksOf(content: string | Uint8Array, size = Infinity): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** Cut at these places. */
export async function* cutAt(
  content: string | Uint8Array,
  places: readonly number[],
): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  const cuts = places.map(place => place % (bytes.length + 1)).sort((a, b) => a - b);
  for (const [index, end] of [...cuts, bytes.length].entries())
    yield bytes.subarray(cuts[index - 1] ?? 0, end);
}

export async function linesOf(source: AsyncIterable<readonly ImportLine[]>): Promise<ImportLine[]> {
  const lines: ImportLine[] = [];
  for await (const batch of source) lines.push(...batch);
  return lines;
}

/** The refused lines, in short: line, faults, source. */
export function refusalsIn(lines: readonly ImportLine[]): [number, string, string][] {
  return lines.flatMap(each =>
    'key' in each
      ? []
      : [[each.line, each.faults.map(fault => fault.field ?? fault.problem).join(), each.source] as const],
  ) as [number, string, string][];
}
