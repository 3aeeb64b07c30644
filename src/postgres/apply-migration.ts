import type { Client } from 'pg';
import type { Actor } from '../roster/actor.ts';
import { migrated } from '../roster/audited-acts.ts';
import { withOwnTable } from './adoption/own-table.ts';
import { relationKind } from './adoption/relation-kind.ts';
import { record } from './audit-log.ts';
import { inRetriedTransaction, type Waiting } from './retried-transaction.ts';
import type { Migration } from './schema.ts';

/** An index that waits for longer says for whom: that transaction may never end. */
const TELL_AFTER_MS = 2_000;

interface Application {
  readonly actor: Actor;
  readonly number: number;
  readonly migration: Migration;
  /** The numbers that have to be in the audit log then, if there is one. */
  readonly toRecord: readonly number[];
  /** Is told what a failure doesn't undo. */
  readonly done: Set<string>;
  /** This run makes the schema, so nobody uses it. */
  readonly isNew?: boolean;
}

/** Makes what it can while the service runs, and then the rest in one transaction. Returns the numbers that there is no audit log for yet. */
export async function applyMigration(
  client: Client,
  waiting: Waiting,
  { actor, number, migration, toRecord, done, isNew = false }: Application,
): Promise<number[]> {
  const { concurrently = [], statements, usableFrom } = migration;
  // While a vendor's own table is served nothing uses ours. What is made concurrently waits for every older transaction.
  const isUsed = !isNew && (await relationKind(client, 'api_keys')) === 'table';
  const others = isUsed ? [] : concurrently.map(statement => statement.replace(' CONCURRENTLY', ''));
  const part = `a part of migration ${number}`;
  if (isUsed && concurrently.length > 0) {
    done.add(part);
    await runConcurrently(client, waiting, concurrently);
  }
  const unrecorded = await inRetriedTransaction(client, waiting, async () => {
    await client.query('CREATE SCHEMA IF NOT EXISTS keyroster');
    await client.query(`CREATE TABLE IF NOT EXISTS keyroster.migrations
      (number integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`);
    await withOwnTable(client, async () => {
      for (const statement of [...others, ...statements]) await client.query(statement);
    });
    // Older schemas have no such column.
    const columns = usableFrom === null ? 'number' : 'number, usable_from';
    const values = usableFrom === null ? [number] : [number, usableFrom];
    await client.query(`INSERT INTO keyroster.migrations (${columns}) VALUES (${values.join()})`);
    const log = await client.query("SELECT to_regclass('keyroster.audit_log')::text AS name");
    if (log.rows[0]?.name === null) return [...toRecord];
    await record(client, actor, toRecord.map(migrated));
    return [];
  });
  done.delete(part);
  done.add(`migration ${number}`);
  return unrecorded;
}

/** An index whose making was interrupted has its name, and serves nothing, so it is dropped and made again. */
async function runConcurrently(
  client: Client,
  { watch, onWaiting }: Waiting,
  statements: readonly string[],
): Promise<void> {
  const broken = await client.query<{ name: string }>(`SELECT indexrelid::regclass::text AS name FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid WHERE relnamespace = 'keyroster'::regnamespace AND NOT indisvalid`);
  for (const { name } of broken.rows) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
  for (const statement of statements) {
    // It waits for each transaction that began before it, and nobody waits for it.
    const timer = setTimeout(() => {
      if (watch.hasWaited) onWaiting(`waiting for a transaction to end: ${watch.holders()}`);
    }, TELL_AFTER_MS);
    await watch.during(client, () => client.query(statement)).finally(() => clearTimeout(timer));
  }
}
