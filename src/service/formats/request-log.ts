import { splitLines } from '../../shared/formats/json-lines.ts';
import { decompress } from '../../shared/formats/text.ts';
import { type AdminKeyId, parseId } from '../../shared/record/identifier.ts';

export interface LoggedUse {
  /** The latest day in UTC, as `2024-10-30`, on which each admin key was used. */
  readonly days: ReadonlyMap<AdminKeyId, string>;
  /** Lines that aren't a request with an admin key. */
  readonly skipped: number;
}

/** Clocks may differ by that much. A later time is wrong, and would hide all use until then. */
const MAX_AHEAD_MS = 86_400_000;

/**
 * Reads the log of `serve` (docs/operations.md#log), plain or gzip, in any order. A request counts whatever its answer was: a line
 * names an admin key only when that key was valid.
 */
export async function readRequestLog(source: AsyncIterable<Buffer>, now: Date): Promise<LoggedUse> {
  const days = new Map<AdminKeyId, string>();
  let skipped = 0;
  for await (const lines of splitLines(decompress(source)))
    for (const line of lines) {
      const use = useIn(line, now.getTime() + MAX_AHEAD_MS);
      if (!use) skipped += 1;
      else if ((days.get(use.id) ?? '') < use.day) days.set(use.id, use.day);
    }
  return { days, skipped };
}

function useIn(line: Buffer, latestMs: number): { id: AdminKeyId; day: string } | undefined {
  if (!line.includes('"admin_key_id"')) return undefined; // much faster than parsing it
  const { msg, time, admin_key_id } = fieldsOf(line);
  const id = parseId<AdminKeyId>(admin_key_id);
  const possible = typeof time === 'number' && time >= 0 && time <= latestMs;
  if (msg !== 'request' || id === undefined || !possible) return undefined;
  return { id, day: new Date(time).toISOString().slice(0, 10) };
}

function fieldsOf(line: Buffer): { msg?: unknown; time?: unknown; admin_key_id?: unknown } {
  try {
    return JSON.parse(line.toString()) ?? {};
  } catch {
    return {};
  }
}
