import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ApiKey } from '../roster/api-key.ts';
import { renderApiKey } from '../roster/api-key-record.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import { changeFaults, duplicateOf } from '../roster/refusals.ts';
import type { ImportCounts, ImportLine, ImportOptions, ImportRefusal } from '../roster/roster.ts';
import { organizationNumber } from './organizations.ts';
import { recordTail, wholeRecord } from './record.ts';
import { storedStatus } from './stored-values.ts';
import { inTransaction } from './transaction.ts';

/** Rows written between two reports of progress. */
const SLICE = 20_000;

/**
 * Two steps, so that the write lock is held for the second only: the source runs into a temporary table of this
 * connection, however long that takes, then one transaction brings it into the roster.
 */
export async function importApiKeys(
  database: DatabaseSync,
  organizationId: OrganizationId,
  source: AsyncIterable<readonly ImportLine[]>,
  options: ImportOptions,
): Promise<ImportCounts> {
  const organization = organizationNumber(database, organizationId);
  let refused = 0;
  const refuse: Refuse = refusal => {
    refused += 1;
    options.refuse(refusal);
  };
  database.exec(CREATE_STAGED);
  try {
    await stage(database, source, refuse);
    return inTransaction(database, () => {
      unstage(database, duplicates(database), refuse);
      unstage(database, refusedChanges(database, organization), refuse);
      if (refused > 0 && !options.withoutRefused) return { inserted: 0, updated: 0, unchanged: 0, refused };
      const { staged, known, changed } = compare(database, organization);
      if (!options.dryRun) merge(database, organization, options.progress);
      return { inserted: staged - known, updated: changed, unchanged: known - changed, refused };
    });
  } finally {
    database.exec('DROP TABLE temp.staged; DROP TABLE IF EXISTS temp.ordered');
  }
}

/** In KiB. An import touches five trees in random order; what doesn't fit is written and read again and again. */
const CACHE_KIB = { roster: 48 * 1024, staged: 8 * 1024 };

const CREATE_STAGED = `
  PRAGMA cache_size = -${CACHE_KIB.roster};
  PRAGMA temp.cache_size = -${CACHE_KIB.staged};
  CREATE TEMPORARY TABLE staged (
    line INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    status INTEGER NOT NULL,
    workspace TEXT,
    creator TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT`;

type Refuse = (refusal: ImportRefusal) => void;

async function stage(
  database: DatabaseSync,
  source: AsyncIterable<readonly ImportLine[]>,
  refuse: Refuse,
): Promise<void> {
  const insert = database.prepare('INSERT INTO staged VALUES (?, ?, ?, ?, ?, ?, ?)');
  for await (const batch of source) {
    inTransaction(
      database,
      () => {
        for (const staged of batch) {
          if ('faults' in staged) refuse(staged);
          else stageLine(insert, staged);
        }
      },
      'BEGIN', // of the temporary table alone: no lock
    );
  }
  // Sorted once, here: kept up to date line by line it would cost as much as the roster's own index.
  database.exec('CREATE INDEX temp.staged_id ON staged (id)');
}

function stageLine(insert: StatementSync, { line, key }: ImportLine & { key: ApiKey }): void {
  const tail = recordTail(key.id, renderApiKey(key));
  const status = storedStatus[key.status];
  insert.run(line, key.id, key.createdAt, status, key.workspaceId, key.createdBy.id, tail);
}

/** The lines whose ID is that of an earlier line. */
function* duplicates(database: DatabaseSync): Generator<ImportRefusal> {
  const ids = database.prepare('SELECT id, min(line) AS first FROM staged GROUP BY id HAVING count(*) > 1');
  const later = database.prepare('SELECT line, record FROM staged WHERE id = ? AND line > ? ORDER BY line');
  for (const { id, first } of ids.iterate() as unknown as Iterable<{ id: string; first: number }>) {
    for (const { line, record } of later.iterate(id, first) as unknown as Iterable<{
      line: number;
      record: string;
    }>) {
      yield { line, faults: [duplicateOf(first)], source: wholeRecord(id, record) };
    }
  }
}

const STAGED_AND_KNOWN =
  'staged JOIN api_keys AS stored ON stored.organization = ? AND stored.id = staged.id';

interface ChangedRow {
  readonly line: number;
  readonly id: string;
  readonly before: string;
  readonly after: string;
}

function* refusedChanges(database: DatabaseSync, organization: number): Generator<ImportRefusal> {
  const changes = database.prepare(
    `SELECT line, staged.id, stored.record AS before, staged.record AS after
     FROM ${STAGED_AND_KNOWN} WHERE stored.record <> staged.record ORDER BY line`,
  );
  for (const change of changes.iterate(organization)) {
    const { line, id, before, after } = change as unknown as ChangedRow;
    const source = wholeRecord(id, after);
    const faults = changeFaults(JSON.parse(wholeRecord(id, before)), JSON.parse(source));
    if (faults.length > 0) yield { line, faults, source };
  }
}

function unstage(database: DatabaseSync, refusals: Iterable<ImportRefusal>, refuse: Refuse): void {
  const lines: number[] = [];
  for (const refusal of refusals) {
    refuse(refusal);
    lines.push(refusal.line);
  }
  const remove = database.prepare('DELETE FROM staged WHERE line = ?');
  for (const line of lines) remove.run(line);
}

function compare(
  database: DatabaseSync,
  organization: number,
): { staged: number; known: number; changed: number } {
  const sql = `SELECT (SELECT count(*) FROM staged) AS staged, count(*) AS known,
    count(*) FILTER (WHERE stored.record <> staged.record) AS changed FROM ${STAGED_AND_KNOWN}`;
  return database.prepare(sql).get(organization) as { staged: number; known: number; changed: number };
}

/** Writes in the table's own order, oldest first: rows that come in any other leave its pages half empty. */
function merge(database: DatabaseSync, organization: number, progress: ImportOptions['progress']): void {
  database.prepare(NUMBER_WORKSPACES).run(organization);
  database.prepare(NUMBER_CREATORS).run(organization);
  database.exec(ORDER_STAGED);
  const rows = database.prepare('SELECT count(*) AS rows FROM ordered').get()?.rows as number;
  const upsert = database.prepare(UPSERT_SLICE);
  for (let written = 0; written < rows; written += SLICE) {
    upsert.run(organization, written, SLICE);
    progress?.(Math.min(written + SLICE, rows), rows);
  }
}

const NUMBER_WORKSPACES = `INSERT OR IGNORE INTO workspaces (organization, id)
  SELECT DISTINCT ?, workspace FROM staged WHERE workspace IS NOT NULL`;

const NUMBER_CREATORS =
  'INSERT OR IGNORE INTO creators (organization, id) SELECT DISTINCT ?, creator FROM staged';

const ORDER_STAGED = `
  CREATE TEMPORARY TABLE ordered (place INTEGER PRIMARY KEY, line INTEGER NOT NULL) STRICT;
  INSERT INTO ordered (line) SELECT line FROM staged ORDER BY created_at, id`;

const UPSERT_SLICE = `
  INSERT INTO api_keys (organization, created_at, id, status, workspace, creator, record)
  SELECT ?1, created_at, staged.id, status, coalesce(workspaces.number, 0), creators.number, record
  FROM ordered CROSS JOIN staged USING (line)
  LEFT JOIN workspaces ON workspaces.organization = ?1 AND workspaces.id = staged.workspace
  LEFT JOIN creators ON creators.organization = ?1 AND creators.id = staged.creator
  WHERE place > ?2 AND place <= ?2 + ?3 ORDER BY place
  ON CONFLICT (organization, created_at, id) DO UPDATE
  SET status = excluded.status, workspace = excluded.workspace, record = excluded.record
  WHERE record <> excluded.record`;
