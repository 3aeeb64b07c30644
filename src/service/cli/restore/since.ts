import { UsageError } from '../../../shared/command/command.ts';
import { isObject } from '../../../shared/record/fields.ts';
import { parseTimestamp } from '../../../shared/record/timestamp.ts';
import { type AuditEntry, walkAuditLog } from '../../roster/audit-log.ts';
import type { OperatorReader } from '../../roster/roster.ts';
import { allLines } from '../import/all-lines.ts';

export interface Since {
  readonly entries: readonly AuditEntry[];
  /** Whether the log has all that the copy's log has. */
  readonly hasAll: boolean;
  /** Whether the log reaches back to before the copy was made. */
  readonly meets: boolean;
  readonly last: AuditEntry | undefined;
}

/** What a log has that the copy's lacks, oldest first. A dump may lack one before its last, which was committed after it. */
export async function entriesSince(copy: OperatorReader, log: AsyncIterable<AuditEntry>): Promise<Since> {
  const known = entriesOf(copy);
  const entries: AuditEntry[] = [];
  let hasAll = true;
  let meets = false;
  let isOfOther = false;
  let last: AuditEntry | undefined;
  let next = await known.next();
  for await (const entry of log) {
    for (; next.value && next.value.number < entry.number; next = await known.next()) hasAll = false;
    isOfOther ||= last === undefined && Boolean(next.value); // unless the two share a later one
    last = entry;
    if (next.value?.number !== entry.number || next.value.recordedAt !== entry.recordedAt)
      entries.push(entry);
    else [meets, next] = [true, await known.next()];
  }
  if (isOfOther && !meets)
    throw new UsageError(
      '--audit-log: shares no entry with the copy: it is of another store, or begins late',
    );
  return { entries, hasAll: hasAll && !next.value, meets, last };
}

export async function* entriesOf(store: OperatorReader): AsyncGenerator<AuditEntry, undefined> {
  for await (const page of walkAuditLog(store, {})) yield* page;
}

/** Of a file that `audit --format jsonl` wrote, or of several of them, one after another. */
export async function* entriesInFile(file: string): AsyncGenerator<AuditEntry> {
  const entries = new Map<number, AuditEntry>();
  for (const line of await allLines(file, parseEntry)) {
    if ('faults' in line) throw new UsageError(`--audit-log: line ${line.line} is no entry of an audit log`);
    const { entry } = line;
    if ((entries.get(entry.number) ?? entry).recordedAt !== entry.recordedAt)
      throw new UsageError(`--audit-log: ${entry.number} is two acts: leave out what a restore took back`);
    entries.set(entry.number, entry);
  }
  yield* [...entries.values()].sort((one, other) => one.number - other.number);
}

function parseEntry(record: unknown) {
  const recordedAt = isObject(record) && parseTimestamp(record.time);
  if (!recordedAt || !Number.isSafeInteger(record.number) || !isObject(record.details)) return { faults: [] };
  const { organization_id: organizationId, subject_id: subjectId, ...entry } = record;
  return { entry: { ...entry, recordedAt, organizationId, subjectId } as unknown as AuditEntry };
}
