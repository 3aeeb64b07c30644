/** The temporary table that an import reads its source into. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ApiKey } from '../../roster/api-key.ts';
import { renderApiKey } from '../../roster/api-key-record.ts';
import type { OrganizationId } from '../../roster/identifier.ts';
import type { ImportLine, ImportRefusal } from '../../roster/roster.ts';
import { recordTail } from '../record.ts';
import { storedStatus } from '../stored-values.ts';
import { inTransaction } from '../transaction.ts';
import { CREATE_STAGED_ORGANIZATIONS, organizationNumbering } from './staged-organizations.ts';

/** An import writes to five B-trees in random order. Pages that don't fit in the cache are written and read repeatedly. */
const CACHE_KIB = { roster: 48 * 1024, staged: 8 * 1024 };

const CREATE_STAGED = `
  PRAGMA cache_size = -${CACHE_KIB.roster};
  PRAGMA temp.cache_size = -${CACHE_KIB.staged};
  CREATE TEMPORARY TABLE staged (
    line INTEGER PRIMARY KEY,
    organization INTEGER NOT NULL, -- a number of staged_organizations
    id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    status INTEGER NOT NULL,
    workspace TEXT,
    creator TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE TEMPORARY TABLE refused (line INTEGER PRIMARY KEY) STRICT;
  ${CREATE_STAGED_ORGANIZATIONS}`;

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
  const insert = database.prepare('INSERT INTO staged VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
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
  const tail = recordTail(key.id, renderApiKey(key));
  const status = storedStatus[key.status];
  const organization = numberOf(organizationId);
  insert.run(line, organization, key.id, key.createdAt, status, key.workspaceId, key.createdBy.id, tail);
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
