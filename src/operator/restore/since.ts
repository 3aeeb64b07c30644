/** What was done in a store since a copy of it was made, by its audit log. */

import type { OperatorReader } from '../../service/roster/roster.ts';
import { type AuditEntry, walkAuditLog } from '../../service/roster/writes/audit-log.ts';
import { UsageError } from '../../shared/command/command.ts';
import { linesOfFile } from '../../shared/command/input/input-file.ts';
import { readJsonLinesBy } from '../../shared/formats/json-lines.ts';
import { isObject } from '../../shared/record/fields.ts';
import { parseTimestamp } from '../../shared/record/timestamp.ts';

/**
 * What a log has that the copy's lacks, oldest first, and whether it has all that the copy's has. A dump may lack one before its last,
 * which was committed after it.
 */
export async function entriesSince(
  copy: OperatorReader,
  log: AsyncIterable<AuditEntry> | Iterable<AuditEntry>,
) {
  const known = entriesOf(copy);
  const entries: AuditEntry[] = [];
  let hasAll = true;
  let next = await known.next();
  for await (const entry of log) {
    for (; next.value && next.value.number < entry.number; next = await known.next()) hasAll = false;
    const isKnown = next.value?.number === entry.number && next.value.recordedAt === entry.recordedAt;
    if (isKnown) next = await known.next();
    else entries.push(entry);
  }
  return { entries, hasAll: hasAll && !next.value };
}

export async function* entriesOf(store: OperatorReader): AsyncGenerator<AuditEntry, undefined> {
  for await (const page of walkAuditLog(store, {})) yield* page;
}

/** Of a file that `audit --format jsonl` wrote, or of several of them, one after another, which may overlap. */
export async function entriesInFile(file: string): Promise<AuditEntry[]> {
  const entries = new Map<string, AuditEntry>();
  for await (const lines of linesOfFile(file, plain => readJsonLinesBy(parseEntry, plain)))
    for (const line of lines) {
      if ('faults' in line)
        throw new UsageError(`--audit-log: line ${line.line} is no entry of an audit log`);
      entries.set(`${line.entry.number} ${line.entry.recordedAt}`, line.entry);
    }
  return [...entries.values()].sort((one, other) => one.number - other.number);
}

function parseEntry(record: unknown) {
  const recordedAt = isObject(record) && parseTimestamp(record.time);
  if (!recordedAt || !Number.isSafeInteger(record.number) || !isObject(record.details)) return { faults: [] };
  const { organization_id: organizationId, subject_id: subjectId, ...entry } = record;
  return { entry: { ...entry, recordedAt, organizationId, subjectId } as unknown as AuditEntry };
}
