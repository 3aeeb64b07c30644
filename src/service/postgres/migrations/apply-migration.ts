import type { Client } from 'pg';
import type { Actor } from '../../roster/actor.ts';
import { migrated } from '../../roster/writes/audited-acts.ts';
import { inRetriedTransaction, type OnWaiting, WHO_HOLDS_IT } from '../transaction.ts';
import { relationKind, withOwnTable } from '../vendor-table/own-table.ts';
import { record } from '../writes/audit-log.ts';
import { digestOf, type Migration } from './schema.ts';

/** An index that takes longer says how to find out whom it waits for: that transaction may never end. */
const TELL_AFTER_MS = 2_000;

interface Application {
  readonly actor: Actor;
  readonly number: number;
  readonly migration: Migration;
  /** This run makes the schema, so nobody uses it. */
  readonly isNew?: boolean;
}

/** Makes what it can while the service runs, and then the rest in one transaction. */
export async function applyMigration(
  client: Client,
  onWaiting: OnWaiting,
  { actor, number, migration, isNew = false }: Application,
): Promise<void> {
  const { concurrently = [], statements, usableFrom } = migration;
  // While a vendor's own table is served nothing uses ours. What is made concurrently waits for every older transaction.
  const isUsed = !isNew && (await relationKind(client, 'api_keys')) === 'table';
  const others = isUsed ? [] : concurrently.map(statement => statement.replace(' CONCURRENTLY', ''));
  if (isUsed && concurrently.length > 0) await runConcurrently(client, onWaiting, concurrently);
  await inRetriedTransaction(client, onWaiting, async () => {
    await withOwnTable(client, async () => {
      const locks = isNew ? [] : locksInOrder([...others, ...statements]);
      for (const statement of [...locks, ...others, ...statements]) await client.query(statement);
    });
    await client.query('INSERT INTO keyroster.migrations (number, digest, usable_from) VALUES ($1, $2, $3)', [
      number,
      digestOf(migration),
      usableFrom ?? number,
    ]);
    await record(client, actor, [migrated(number)]);
  });
}

/**
 * The order in which those lock tables who write while a migration runs: an insert into `api_keys` locks that, and then
 * `organizations` by its foreign key; commands lock `organizations` before `admin_keys`, and the audit log last. In another order
 * a migration waits for a writer who waits for it, each time that it is tried again.
 */
const LOCK_ORDER = ['api_keys', 'organizations', 'admin_keys', 'audit_log'];

/** Of the tables that these statements name, whatever their order, where there are several. */
function locksInOrder(statements: readonly string[]): string[] {
  const isNamed = (table: string) =>
    statements.some(text => new RegExp(`\\bkeyroster\\.${table}\\b`).test(text));
  const tables = LOCK_ORDER.filter(isNamed);
  if (tables.length < 2) return [];
  return tables.map(table => `LOCK TABLE keyroster.${table} IN ACCESS EXCLUSIVE MODE`);
}

/** An index whose making was interrupted has its name, and serves nothing, so it is dropped and made again. */
async function runConcurrently(
  client: Client,
  onWaiting: OnWaiting,
  statements: readonly string[],
): Promise<void> {
  const broken = await client.query<{ name: string }>(`SELECT indexrelid::regclass::text AS name FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid WHERE relnamespace = 'keyroster'::regnamespace AND NOT indisvalid`);
  for (const { name } of broken.rows) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
  for (const statement of statements) {
    // It waits for each transaction that began before it, and nobody waits for it.
    const tell = () =>
      onWaiting(`making an index, which waits for each transaction that is older; ${WHO_HOLDS_IT}`);
    const timer = setTimeout(tell, TELL_AFTER_MS);
    await client.query(statement).finally(() => clearTimeout(timer));
  }
}
