import type { Client } from 'pg';
import type { Actor } from '../../roster/actor.ts';
import { Refused } from '../../roster/errors.ts';
import { forWriting, type PostgresUrl } from '../connecting/url.ts';
import { openClient } from '../connection.ts';
import { orRefused, RUN_AGAIN } from '../errors.ts';
import { hasCitus } from '../has-citus.ts';
import { LockWatch } from '../lock-watch.ts';
import { migrate } from '../migrate.ts';
import { takeMigrationLock } from '../migration-lock.ts';
import { migrations } from '../schema.ts';
import { schemaVersion } from '../schema-version.ts';
import { readCatalogue } from './catalogue/catalogue.ts';
import { examineMapping } from './examine/examine.ts';
import type { Mapping } from './mapping/mapping.ts';
import { tableSql } from './mapping/table-name.ts';
import { servedMapping } from './mapping/view.ts';
import { relationKind } from './own-table.ts';
import { LOCK_TIMEOUT_MS, limitWaits, runStep, tellWhyNot } from './steps/run-steps.ts';
import { type Step, stepsToAdopt, stepsToRemove } from './steps/steps.ts';
import { inTrial } from './trial.ts';

/** The role that `deploy/postgres-roles.sql` makes for the service. */
const DEFAULT_ROLE = 'keyroster_reader';

export interface AdoptionOptions {
  readonly actor: Actor;
  /** The service's role, which gets the right to read the view. Default: `keyroster_reader` if there is one. */
  readonly role: string | undefined;
  readonly onStep: (what: string) => void;
  /** Cancels the step that runs, undoes what it has made, and begins no other. */
  readonly stop?: AbortSignal;
}

export function adoptionOf(url: PostgresUrl) {
  return {
    catalogue: (table: string) =>
      withClient(url, client => inTrial(client, 'READ ONLY', () => readCatalogue(client, table))),
    examine: (mapping: Mapping) => withClient(url, client => examineMapping(client, mapping)),
    sql: (mapping: Mapping, role: string | undefined) => adoptionSql(url, mapping, role),
    apply: (mapping: Mapping, options: AdoptionOptions) => adopt(forWriting(url), mapping, options),
    remove: (onStep: (what: string) => void) => remove(forWriting(url), onStep),
  };
}

async function remove(url: PostgresUrl, onStep: (what: string) => void): Promise<boolean> {
  await run(url, stepsToRemove, onStep);
  return withClient(url, async client => (await relationKind(client, 'api_keys')) === 'table');
}

async function adoptionSql(url: PostgresUrl, mapping: Mapping, role: string | undefined): Promise<string> {
  return withClient(url, async client => {
    const reader = await requireAdoptable(client, mapping, role);
    const isCurrent = (await schemaVersion(client)) >= migrations.length;
    const steps = await stepsToAdopt(client, mapping, reader);
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
  { actor, role, onStep, stop }: AdoptionOptions,
): Promise<void> {
  const reader = await withClient(url, client => requireAdoptable(client, mapping, role));
  await run(url, async () => [], onStep, stop); // here a lock that isn't free is told, where migrate waits for it
  if ((await withClient(url, schemaVersion)) < migrations.length) {
    onStep("bring Keyroster's schema up to date");
    await migrate(url, actor, { onWaiting: onStep, onStep });
  }
  await run(url, client => stepsToAdopt(client, mapping, reader), onStep, stop);
}

/** Returns the service's role. Throws `Refused`. */
async function requireAdoptable(
  client: Client,
  mapping: Mapping,
  role: string | undefined,
): Promise<string | null> {
  await refuseCitus(client);
  await refuseSecondTable(client, mapping);
  return readerRole(client, role);
}

/** Its tables are on other machines, where neither the view nor `CREATE INDEX CONCURRENTLY` is tried. */
async function refuseCitus(client: Client): Promise<void> {
  if (await hasCitus(client)) throw new Refused('adopt: a table of your own is not served on Citus');
}

/** Its customers' lists would be those of another table at once. A table that was renamed isn't another one. */
async function refuseSecondTable(client: Client, { table }: Mapping): Promise<void> {
  const served = await servedMapping(client);
  if (!served || tableSql(served.table) === tableSql(table)) return;
  const { rows } = await client.query('SELECT to_regclass($1)::text AS name', [tableSql(served.table)]);
  if (rows[0]?.name === null) return;
  throw new Refused(
    `adopt: this database serves ${tableSql(served.table)}, and it can serve one table: "keyroster adopt --remove" takes that back first`,
  );
}

async function readerRole(client: Client, asked: string | undefined): Promise<string | null> {
  const role = asked ?? DEFAULT_ROLE;
  const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (rows.length > 0) return role;
  if (asked === undefined) return null;
  throw new Refused(
    '--role: there is no role of this name: deploy/postgres-roles.sql makes keyroster_reader',
  );
}

async function run(
  url: PostgresUrl,
  plan: (client: Client) => Promise<Step[]>,
  onStep: (what: string) => void,
  stop?: AbortSignal,
): Promise<void> {
  await withClient(url, client =>
    withClient(url, async watching => {
      const watch = new LockWatch(watching);
      const cancel = () => watch.cancel();
      stop?.addEventListener('abort', cancel);
      try {
        await limitWaits(client);
        await takeMigrationLock(client, holder => {
          throw new Refused(`adopt: nothing was done because of ${holder}; then run it again`);
        });
        const steps = await tellWhyNot(client, watch, 'find out what is to be done', () => plan(client));
        for (const step of steps) {
          if (stop?.aborted)
            throw new Refused(`adopt: did not ${step.what}, nor what is after it: run it again`);
          onStep(step.what);
          await runStep(client, watch, step);
        }
      } finally {
        stop?.removeEventListener('abort', cancel);
      }
    }),
  );
}

async function withClient<T>(url: PostgresUrl, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await openClient(url);
  try {
    return await orRefused(() => work(client), RUN_AGAIN);
  } finally {
    await client.end();
  }
}
