import type { Client } from 'pg';
import { timeFor, waitFor } from '../roster/migration-waits.ts';
import type { Schemas } from '../roster/schema.ts';
import { isNextNumberTaken, STEP } from './audit-log-numbers.ts';
import type { PostgresUrl } from './connecting/url.ts';
import { openClient } from './connection.ts';
import { citusState } from './distribution/state.ts';
import { lineOf, stepsToDistribute } from './distribution/steps.ts';
import { orRefused, RUN_AGAIN } from './errors.ts';
import { ROWS_A_SECOND, rowsReadBy } from './migration-waits.ts';
import { migrations, ownSchema } from './schema.ts';
import { schemaOf, schemaVersion } from './schema-version.ts';

/** What `migrate` would do now, a line each. Only reads. Throws `Refused`. */
export async function planMigration(url: PostgresUrl): Promise<readonly string[]> {
  const client = await openClient(url);
  try {
    return await orRefused(async () => {
      await client.query('SET default_transaction_read_only = on');
      const version = await schemaVersion(client);
      const state = version === 0 ? null : await citusState(client);
      return [
        ...((await isNextNumberTaken(client)) ? [STEP] : []),
        ...(await planSteps(client, version, version > 0 && state === null)),
        ...(state ? stepsToDistribute(state).map(lineOf) : []),
      ];
    });
  } finally {
    await client.end();
  }
}

/** The schemas of the database and of this release. Only reads. */
export async function schemasOf(url: PostgresUrl): Promise<Schemas> {
  const client = await openClient(url);
  try {
    return { store: await orRefused(() => schemaOf(client), RUN_AGAIN), release: ownSchema() };
  } finally {
    await client.end();
  }
}

/** @param tellWaits not of a new schema, which nobody uses, and not on Citus, whose rows are on other machines. */
async function planSteps(client: Client, version: number, tellWaits: boolean): Promise<string[]> {
  const lines: string[] = [];
  for (const [index, { concurrently = [], statements }] of migrations.slice(version).entries()) {
    let step = `migration ${version + index + 1}, one transaction: ${kindsOf(statements) || 'only its number'}`;
    if (tellWaits) step += `, others wait ${waitFor(await rowsReadBy(client, statements), ROWS_A_SECOND)}`;
    if (concurrently.length > 0) step += `; before it, while the service runs: ${kindsOf(concurrently)}`;
    if (concurrently.length > 0 && tellWaits)
      step += `, ${timeFor(await rowsReadBy(client, concurrently), ROWS_A_SECOND)}, nobody waits`;
    lines.push(step);
  }
  return lines;
}

/** As `2 ALTER TABLE`. */
function kindsOf(statements: readonly string[]): string {
  const kinds = Map.groupBy(statements, kindOf);
  return Array.from(kinds, ([kind, { length }]) => `${length} ${kind}`).join(', ');
}

/** The keywords that it begins with, after comments. */
function kindOf(statement: string): string {
  return /^(?:\s*--.*)*\s*([A-Z]+(?: [A-Z]+)*)/.exec(statement)?.[1] ?? 'statement';
}
