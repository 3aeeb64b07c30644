/**
 * What an import is measured against: a loop over `node:sqlite` that puts the same rows into the same schema, in the
 * order of the file, in one transaction. It trusts its input: `JSON.parse`, and no check of anything.
 * `node bench/bare-import.ts FILE STORE ORGANIZATION`
 */
import { createReadStream } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { ApiKeyRecord } from '../src/roster/api-key-record.ts';
import type { OrganizationId } from '../src/roster/identifier.ts';
import { openFile } from '../src/sqlite/connect.ts';
import { organizationNumber } from '../src/sqlite/organizations.ts';
import { recordTail } from '../src/sqlite/record.ts';
import { statusNumber } from '../src/sqlite/schema.ts';

/** As `src/sqlite/import-api-keys.ts` sets it. */
const CACHE_KIB = 64 * 1024;
const DEFAULT_WORKSPACE = 0;

const [source = '', store = '', organizationId] = process.argv.slice(2);
const database = openFile(store, { readOnly: false });
database.exec(`PRAGMA cache_size = -${CACHE_KIB}; BEGIN IMMEDIATE`);
const organization = organizationNumber(database, organizationId as OrganizationId);
const workspace = numbering(database, 'workspaces');
const creator = numbering(database, 'creators');
const insert = database.prepare(
  `INSERT INTO api_keys (organization, created_at, id, status, workspace, creator, record)
   VALUES (?, ?, ?, ?, ?, ?, ?)`,
);

let rest = '';
for await (const chunk of createReadStream(source, 'utf8')) {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) insertRow(line);
}
database.exec('COMMIT');
database.close();

function insertRow(line: string): void {
  const { id, created_at, status, workspace_id, created_by } = JSON.parse(line) as ApiKeyRecord;
  insert.run(
    organization,
    microseconds(created_at),
    id,
    statusNumber[status] ?? null,
    workspace_id === null ? DEFAULT_WORKSPACE : workspace(workspace_id),
    creator(created_by.id),
    recordTail(id, line),
  );
}

/** Of a time that is written as the API writes it: UTC, six decimals. */
function microseconds(text: string): number {
  return Date.parse(`${text.slice(0, 23)}Z`) * 1000 + Number(text.slice(23, 26));
}

function numbering(database: DatabaseSync, table: 'workspaces' | 'creators') {
  const insert = database.prepare(`INSERT INTO ${table} (organization, id) VALUES (?, ?) RETURNING number`);
  const known = new Map<string, number>();
  return (id: string): number => {
    const number = known.get(id) ?? (insert.get(organization, id)?.number as number);
    known.set(id, number);
    return number;
  };
}
