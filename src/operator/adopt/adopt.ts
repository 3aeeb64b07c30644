import type { Client } from 'pg';
import { openClient } from '../../service/postgres/connecting/connection.ts';
import { forWriting, type PostgresUrl } from '../../service/postgres/connecting/url.ts';
import { hasCitus } from '../../service/postgres/distribution/state.ts';
import { migrate } from '../../service/postgres/migrations/migrate.ts';
import { takeMigrationLock } from '../../service/postgres/migrations/migration-lock.ts';
import { migrations, schemaVersion } from '../../service/postgres/migrations/schema.ts';
import { withClient } from '../../service/postgres/operator-connection.ts';
import { inTransaction, LOCK_NOT_AVAILABLE, WHO_HOLDS_IT } from '../../service/postgres/transaction.ts';
import { reasonOf } from '../../service/postgres/vendor-table/failure.ts';
import { joinsOf, type Mapping } from '../../service/postgres/vendor-table/mapping.ts';
import { relationKind } from '../../service/postgres/vendor-table/own-table.ts';
import { tableSql } from '../../service/postgres/vendor-table/table-name.ts';
import { servedMapping } from '../../service/postgres/vendor-table/view.ts';
import type { Actor } from '../../service/roster/actor.ts';
import { Refused } from '../../shared/record/faults.ts';
import { examineMapping } from './examine/examine.ts';
import { triedProposal } from './proposal/propose.ts';
import { type Step, stepsToAdopt, stepsToRemove } from './steps.ts';

export interface AdoptionOptions {
  readonly actor: Actor;
  readonly onStep: (what: string) => void;
  /** Cancels the step that runs, undoes what it has made, and begins no other. */
  readonly stop?: AbortSignal;
}

/** Serves a vendor's own table (docs/your-table.md). Each throws `Refused`. */
export function adoptionOf(url: PostgresUrl) {
  return {
    /** What PostgreSQL tells of a table, with a sample of its values, and what its columns seem to be. Only reads. */
    propose: (table: string) => withClient(openClient(url), client => triedProposal(client, table)),
    /** What is wrong with a mapping for its table. Only reads. */
    examine: (mapping: Mapping) => withClient(openClient(url), client => examineMapping(client, mapping)),
    /** What `apply` would run now, as SQL. Only reads. */
    sql: (mapping: Mapping) => adoptionSql(url, mapping),
    /** Whatever it is stopped at, the next run does the rest. `onStep` is told of each step before it is run. */
    apply: (mapping: Mapping, options: AdoptionOptions) => adopt(forWriting(url), mapping, options),
    /** Takes back what `apply` has made. Returns whether Keyroster's own table is in its place then. */
    remove: (onStep: (what: string) => void) => remove(forWriting(url), onStep),
  };
}
export type Adoption = ReturnType<typeof adoptionOf>;

async function remove(url: PostgresUrl, onStep: (what: string) => void): Promise<boolean> {
  await run(url, stepsToRemove, onStep);
  return withClient(openClient(url), async client => (await relationKind(client, 'api_keys')) === 'table');
}

async function adoptionSql(url: PostgresUrl, mapping: Mapping): Promise<string> {
  return withClient(openClient(url), async client => {
    await requireAdoptable(client, mapping);
    const isCurrent = (await schemaVersion(client)) >= migrations.length;
    const steps = await stepsToAdopt(client, mapping);
    const before = isCurrent ? [] : ['-- run "keyroster migrate" before this: it makes what this needs'];
    return [...before, `SET lock_timeout = ${LOCK_TIMEOUT_MS};`, ...steps.map(sqlOf)].join('\n\n');
  });
}

function sqlOf({ what, statements }: Step): string {
  const lines = statements.map(statement => `${statement};`);
  const whole = lines.length === 1 ? lines : ['BEGIN;', ...lines, 'COMMIT;'];
  return [`-- ${what}`, ...whole].join('\n');
}

async function adopt(
  url: PostgresUrl,
  mapping: Mapping,
  { actor, onStep, stop }: AdoptionOptions,
): Promise<void> {
  await withClient(openClient(url), client => requireAdoptable(client, mapping));
  await run(url, client => requireOwner(client, mapping), onStep, stop); // here a lock that isn't free is told, where migrate waits for it
  if ((await withClient(openClient(url), schemaVersion)) < migrations.length) {
    onStep("bring Keyroster's schema up to date");
    await migrate(url, actor, { onWaiting: onStep, onStep });
  }
  await run(url, client => stepsToAdopt(client, mapping), onStep, stop);
}

/** Throws `Refused`. */
async function requireAdoptable(client: Client, { table }: Mapping): Promise<void> {
  // Its tables are on other machines, where neither the view nor CREATE INDEX CONCURRENTLY is tried.
  if (await hasCitus(client)) throw new Refused('adopt: a table of your own is not served on Citus');
  const served = await servedMapping(client);
  if (!served || tableSql(served.table) === tableSql(table)) return;
  const { rows } = await client.query('SELECT to_regclass($1)::text AS name', [tableSql(served.table)]);
  if (rows[0]?.name === null) return; // it was renamed, so it isn't another one
  // Its customers' lists would be those of another table at once.
  throw new Refused(
    `adopt: this database serves ${tableSql(served.table)}, and it can serve one table: "keyroster adopt --remove" takes that back first`,
  );
}

/** Triggers of the tables' owner would run as a role that may do more, such as a superuser. Throws `Refused`. Takes no step. */
async function requireOwner(client: Client, mapping: Mapping): Promise<Step[]> {
  const tables = joinsOf(mapping).flatMap(({ table }) => [tableSql(mapping.table), table]);
  const text = `SELECT format('%s, which %I owns', oid::regclass, pg_get_userbyid(relowner)) AS other FROM pg_class
    JOIN json_array_elements_text($1) AS name ON oid = to_regclass(name) WHERE pg_get_userbyid(relowner) <> current_user`;
  const [found] = (await client.query(text, [JSON.stringify(tables)])).rows;
  if (!found) return [];
  throw new Refused(`adopt: the triggers of joins would run as this role on ${found.other}: run it as that`);
}

async function run(
  url: PostgresUrl,
  plan: (client: Client) => Promise<Step[]>,
  onStep: (what: string) => void,
  stop?: AbortSignal,
): Promise<void> {
  await withClient(openClient(url), async client => {
    const { rows } = await client.query<{ pid: string }>('SELECT pg_backend_pid()::text AS pid');
    const cancel = () => cancelStatement(url, rows[0]?.pid);
    stop?.addEventListener('abort', cancel);
    try {
      // No wait for a lock is longer than this, since all that come after us would wait too. A statement whose client is gone
      // ends soon, so that one that was killed doesn't hold up the next.
      await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}; SET client_connection_check_interval = 200`);
      await takeMigrationLock(client, holder => {
        throw new Refused(`adopt: nothing was done because of ${holder}; then run it again`);
      });
      for (const step of await plan(client)) {
        if (stop?.aborted)
          throw new Refused(`adopt: did not ${step.what}, nor what is after it: run it again`);
        onStep(step.what);
        await runStep(client, step);
      }
    } finally {
      stop?.removeEventListener('abort', cancel);
    }
  });
}

/** Where it can't, the statement ends by itself, and nothing is done after it. */
async function cancelStatement(url: PostgresUrl, pid: string | undefined): Promise<void> {
  const cancel = 'SELECT pg_cancel_backend($1::integer)';
  await withClient(openClient(url), client => client.query(cancel, [pid])).catch(() => {});
}

const LOCK_TIMEOUT_MS = 2_000;
const NOT_IMMUTABLE = '42P17';
const IMMUTABLE_HINT =
  ': the text of an enum isn\'t (give "values", or CASE with each label), nor is what depends on the time or on settings';

/** Runs one step. Throws `Refused`. */
async function runStep(client: Client, step: Step): Promise<void> {
  const { what, statements, undo } = step;
  try {
    if (statements.length === 1) await client.query(String(statements[0]));
    else
      await inTransaction(client, async () => {
        for (const statement of statements) await client.query(statement);
      });
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    const reason =
      code === LOCK_NOT_AVAILABLE
        ? `a lock was not free within ${LOCK_TIMEOUT_MS / 1000} s (${WHO_HOLDS_IT})`
        : `${reasonOf(cause)}${code === NOT_IMMUTABLE ? IMMUTABLE_HINT : ''}`;
    // An index that could not be made whole would slow writes down, and serve nothing. The next run drops what is left of it.
    if (undo !== undefined) await client.query(undo).catch(() => {});
    throw new Refused(`adopt: could not ${what}: ${reason}. What was done before stays: run it again`, {
      cause,
    });
  }
}
