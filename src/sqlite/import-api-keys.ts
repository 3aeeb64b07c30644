import type { DatabaseSync } from 'node:sqlite';
import { mayBecome, type Status } from '../roster/api-key.ts';
import { renderApiKey } from '../roster/api-key-record.ts';
import type { Fault } from '../roster/errors.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import type { ImportCounts, ImportLine, ImportRefusal } from '../roster/roster.ts';
import { organizationNumber } from './organizations.ts';
import { recordTail, wholeRecord } from './record.ts';
import { statusNumber } from './schema.ts';
import { inTransaction } from './transaction.ts';

/**
 * Two steps, so that the write lock is held for the second only: the source runs into a temporary table of this
 * connection, however long that takes, then one transaction brings it into the roster.
 */
export async function importApiKeys(
  database: DatabaseSync,
  organizationId: OrganizationId,
  source: AsyncIterable<readonly ImportLine[]>,
  refuse: (refusal: ImportRefusal) => void,
): Promise<ImportCounts> {
  const organization = organizationNumber(database, organizationId);
  database.exec(CREATE_STAGED);
  try {
    let refused = await stage(database, source, refuse);
    return inTransaction(database, () => {
      const { known, changed } = compare(database, organization);
      for (const refusal of refusedChanges(database, organization)) {
        refuse(refusal);
        refused += 1;
      }
      if (refused > 0) return { inserted: 0, updated: 0, unchanged: 0, refused };
      const staged = merge(database, organization);
      return { inserted: staged - known, updated: changed, unchanged: known - changed, refused: 0 };
    });
  } finally {
    database.exec('DROP TABLE temp.staged');
  }
}

const CREATE_STAGED = `
  CREATE TEMPORARY TABLE staged (
    line INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    status INTEGER NOT NULL,
    workspace TEXT,
    creator TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT`;

async function stage(
  database: DatabaseSync,
  source: AsyncIterable<readonly ImportLine[]>,
  refuse: (refusal: ImportRefusal) => void,
): Promise<number> {
  const insert = database.prepare(
    'INSERT INTO staged VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const earlier = database.prepare('SELECT line FROM staged WHERE id = ?');
  const faultsOf = (staged: ImportLine): readonly Fault[] => {
    if ('faults' in staged) return staged.faults;
    const { line, key } = staged;
    const status = statusNumber[key.status] ?? null;
    const record = recordTail(key.id, renderApiKey(key));
    const { changes } = insert.run(
      line,
      key.id,
      key.createdAt,
      status,
      key.workspaceId,
      key.createdBy.id,
      record,
    );
    return changes === 1
      ? []
      : [{ field: 'id', problem: `stands on line ${earlier.get(key.id)?.line} already` }];
  };

  let refused = 0;
  for await (const batch of source) {
    database.exec('BEGIN');
    for (const staged of batch) {
      const faults = faultsOf(staged);
      if (faults.length === 0) continue;
      refuse({ line: staged.line, faults });
      refused += 1;
    }
    database.exec('COMMIT');
  }
  return refused;
}

const STAGED_AND_KNOWN =
  'staged JOIN api_keys AS stored ON stored.organization = ? AND stored.id = staged.id';

function compare(database: DatabaseSync, organization: number): { known: number; changed: number } {
  const sql = `SELECT count(*) AS known, count(*) FILTER (WHERE stored.record <> staged.record) AS changed
    FROM ${STAGED_AND_KNOWN}`;
  return database.prepare(sql).get(organization) as { known: number; changed: number };
}

function* refusedChanges(database: DatabaseSync, organization: number): Generator<ImportRefusal> {
  const changes = database.prepare(
    `SELECT line, staged.id, stored.record AS before, staged.record AS after
     FROM ${STAGED_AND_KNOWN} WHERE stored.record <> staged.record ORDER BY line`,
  );
  for (const { line, id, before, after } of changes.iterate(organization)) {
    const stored = JSON.parse(wholeRecord(id as string, before as string)) as StoredRecord;
    const staged = JSON.parse(wholeRecord(id as string, after as string)) as StoredRecord;
    const faults = [...faultsOfChange(stored, staged)];
    if (faults.length > 0) yield { line: line as number, faults };
  }
}

interface StoredRecord {
  readonly created_at: string;
  readonly created_by: { readonly id: string; readonly type: string };
  readonly status: Status;
}

function* faultsOfChange(stored: StoredRecord, staged: StoredRecord): Generator<Fault> {
  const fixed = (field: string, value: string) => ({ field, problem: `never changes, and is ${value}` });
  if (staged.created_at !== stored.created_at) yield fixed('created_at', stored.created_at);
  if (staged.created_by.id !== stored.created_by.id) yield fixed('created_by.id', stored.created_by.id);
  if (staged.created_by.type !== stored.created_by.type)
    yield fixed('created_by.type', stored.created_by.type);
  if (!mayBecome(stored.status, staged.status)) yield { field: 'status', problem: 'archived is final' };
}

/** Returns how many keys were staged. Sorted, since rows in the table's own order fill its pages. */
function merge(database: DatabaseSync, organization: number): number {
  database
    .prepare(
      'INSERT OR IGNORE INTO workspaces (organization, id) SELECT DISTINCT ?, workspace FROM staged WHERE workspace IS NOT NULL',
    )
    .run(organization);
  database
    .prepare('INSERT OR IGNORE INTO creators (organization, id) SELECT DISTINCT ?, creator FROM staged')
    .run(organization);
  database
    .prepare(
      `INSERT INTO api_keys (organization, created_at, id, status, workspace, creator, record)
       SELECT ?1, created_at, staged.id, status, coalesce(workspaces.number, 0), creators.number, record
       FROM staged
       LEFT JOIN workspaces ON workspaces.organization = ?1 AND workspaces.id = staged.workspace
       JOIN creators ON creators.organization = ?1 AND creators.id = staged.creator
       WHERE true ORDER BY created_at, staged.id
       ON CONFLICT (organization, created_at, id) DO UPDATE
       SET status = excluded.status, workspace = excluded.workspace, record = excluded.record
       WHERE record <> excluded.record`,
    )
    .run(organization);
  return database.prepare('SELECT count(*) AS staged FROM staged').get()?.staged as number;
}
