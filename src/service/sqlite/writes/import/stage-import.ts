/** The temporary table that an import reads its source into. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { OrganizationId } from '../../../../shared/record/identifier.ts';
import { timestampNow } from '../../../../shared/record/timestamp.ts';
import { type ApiKey, renderApiKey, renderContractRecord } from '../../../roster/api-key.ts';
import type { ImportLine, ImportRefusal } from '../../../roster/writes/imports.ts';
import { inTransaction } from '../../connection.ts';
import { differs, storedDeclared } from '../../record.ts';
import { storedStatus } from '../../stored-values.ts';

const CACHE_KIB = 8 * 1024;

const CREATE_STAGED = `
  PRAGMA temp.cache_size = -${CACHE_KIB};
  CREATE TEMPORARY TABLE staged (
    line INTEGER PRIMARY KEY,
    organization INTEGER NOT NULL, -- a number of staged_organizations
    id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    status INTEGER NOT NULL,
    workspace TEXT,
    creator TEXT NOT NULL,
    record TEXT NOT NULL,
    declared TEXT,
    more TEXT -- what a record with declared fields has after its last field
  ) STRICT;
  CREATE TEMPORARY TABLE refused (line INTEGER PRIMARY KEY) STRICT;
  CREATE TEMPORARY TABLE staged_organizations (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    stored INTEGER, -- its number in the store
    deleted INTEGER NOT NULL DEFAULT 0,
    import INTEGER NOT NULL DEFAULT 0 -- that of the import
  ) STRICT;`;

/** The staged line as a record. */
export const STAGED_RECORD = `CASE WHEN more IS NULL THEN staged.record
  ELSE substr(staged.record, 1, length(staged.record) - 1) || more || '}' END`;

/** Whether a stored key differs from its staged line. */
export const STORED_DIFFERS = differs('stored', 'staged');

/** The staged lines whose key is stored already. They are read in the order of the lines, as their index is in another one. */
export const STAGED_AND_STORED = `staged NOT INDEXED
  CROSS JOIN staged_organizations AS named ON named.number = staged.organization
  CROSS JOIN api_keys AS stored ON stored.organization = named.stored AND stored.id = staged.id`;

/** Stages each line that holds a key, and passes each line with faults to `refuse`. */
export async function stage(
  database: DatabaseSync,
  source: AsyncIterable<readonly ImportLine[]>,
  refuse: (refusal: ImportRefusal) => void,
): Promise<void> {
  database.exec(CREATE_STAGED);
  const insert = database.prepare('INSERT INTO staged VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const numberOf = organizationNumbering(database);
  for await (const batch of source) {
    const stageBatch = () => {
      for (const line of batch) {
        if (line.organizationId !== null) numberOf(line.organizationId);
        if ('faults' in line) refuse(line);
        else stageLine(insert, numberOf, line);
      }
    };
    inTransaction(database, stageBatch, 'BEGIN'); // it writes the temporary tables only, which needs no write lock
  }
  // Built once, here: updating the index for each line would cost as much as updating the roster's own.
  database.exec('CREATE INDEX temp.staged_id ON staged (organization, id)');
}

function stageLine(
  insert: StatementSync,
  numberOf: (organization: OrganizationId) => number,
  { line, organizationId, key }: Extract<ImportLine, { key: ApiKey }>,
): void {
  const record = renderContractRecord(key);
  const more = key.declared ? renderApiKey(key).slice(record.length - 1, -1) : null;
  const status = storedStatus[key.status];
  const organization = numberOf(organizationId);
  const values = [key.workspaceId, key.createdBy.id, record, storedDeclared(key), more];
  insert.run(line, organization, key.id, key.createdAt, status, ...values);
}

/** Refuses lines that were staged. They are deleted at the end, since the refusals are read from the same table. */
export function removeStaged(
  database: DatabaseSync,
  refusals: Iterable<ImportRefusal>,
  refuse: (refusal: ImportRefusal) => void,
): void {
  const insert = database.prepare('INSERT INTO refused VALUES (?)');
  for (const refusal of refusals) {
    refuse(refusal);
    insert.run(refusal.line);
  }
  database.exec('DELETE FROM staged WHERE line IN (SELECT line FROM refused); DELETE FROM refused');
}

export function dropStaging(database: DatabaseSync): void {
  database.exec(
    ['staged', 'staged_organizations', 'refused', 'ordered']
      .map(name => `DROP TABLE IF EXISTS temp.${name}`)
      .join(';'),
  );
}

/** Returns the function that numbers organizations from 1, in the order in which they are named. */
function organizationNumbering(database: DatabaseSync): (id: OrganizationId) => number {
  const insert = database.prepare('INSERT INTO staged_organizations (number, id) VALUES (?, ?)');
  const numbers = new Map<OrganizationId, number>();
  return id => {
    const known = numbers.get(id);
    if (known !== undefined) return known;
    const number = numbers.size + 1;
    numbers.set(id, number);
    insert.run(number, id);
    return number;
  };
}

/** To be called in the transaction that merges: one may be deleted while the source is read, and its number be another's then. */
export function findOrganizations(database: DatabaseSync): void {
  database.exec(`UPDATE staged_organizations SET stored = found.number, deleted = found.deleted_at IS NOT NULL
    FROM organizations AS found WHERE found.id = staged_organizations.id`);
}

/** Creates those that lines are staged of. The name of each is its ID. */
export function createMissing(database: DatabaseSync): void {
  const missing = 'stored IS NULL AND number IN (SELECT organization FROM staged)';
  database
    .prepare(
      `INSERT INTO organizations (id, name, created_at) SELECT id, id, ? FROM staged_organizations WHERE ${missing}`,
    )
    .run(timestampNow());
  findOrganizations(database);
}
