/**
 * The loop that `keyroster import` is compared with: it inserts the same rows into the same schema with `node:sqlite`, in the
 * order of the file, in one transaction. It calls `JSON.parse` and checks nothing.
 * `node bench/roster/bare-import.ts FILE STORE ORGANIZATION`
 */
import { createReadStream } from 'node:fs';
import { openFile } from '../../src/service/sqlite/connection.ts';
import type { ApiKeyRecord } from '../../src/shared/record/api-key-record.ts';
import type { OrganizationId } from '../../src/shared/record/identifier.ts';
import { bareWriter } from './bare-writer.ts';

/** As much as `src/service/sqlite/writes/import/stage-import.ts` has, in all. */
const CACHE_KIB = 64 * 1024;

const [source = '', store = '', organizationId] = process.argv.slice(2);
const database = openFile(store, { readOnly: false });
database.exec(`PRAGMA cache_size = -${CACHE_KIB}; BEGIN IMMEDIATE`);
const write = bareWriter(database, organizationId as OrganizationId);

let rest = '';
for await (const chunk of createReadStream(source, 'utf8')) {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) writeLine(line);
}
database.exec('COMMIT');
database.close();

function writeLine(record: string): void {
  const { id, created_at, status, workspace_id, created_by } = JSON.parse(record) as ApiKeyRecord;
  const createdAt = microseconds(created_at);
  write({ id, createdAt, status, workspaceId: workspace_id, creatorId: created_by.id, record });
}

/** Microseconds since 1970 of a time as the API writes it: UTC, six decimals. */
function microseconds(text: string): number {
  return Date.parse(`${text.slice(0, 23)}Z`) * 1000 + Number(text.slice(23, 26));
}
