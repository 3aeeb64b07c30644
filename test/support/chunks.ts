/** Splits a source into chunks, as files and pipes do, and collects what a reader makes of it. */

import type { ImportLine } from '../../src/service/roster/writes/imports.ts';
import type { OrganizationId } from '../../src/shared/record/identifier.ts';

/** For readers of lines of which it doesn't matter. */
export const OF_ONE = { id: 'org_1' as OrganizationId };

/** The bytes in chunks of this size; by default in one chunk. */
export async function* chunksOf(content: string | Uint8Array, size = Infinity): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** The bytes split at these positions. */
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

/** The refused lines as tuples: line number, fields or problems, source text. */
export function refusalsIn(lines: readonly ImportLine[]): [number, string, string][] {
  return lines.flatMap(each =>
    'key' in each
      ? []
      : [[each.line, each.faults.map(fault => fault.field ?? fault.problem).join(), each.source] as const],
  ) as [number, string, string][];
}
