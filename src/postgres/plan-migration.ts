import { isNextNumberTaken, STEP } from './audit-log-numbers.ts';
import type { PostgresUrl } from './connecting/url.ts';
import { openClient } from './connection.ts';
import { citusState } from './distribution/state.ts';
import { lineOf, stepsToDistribute } from './distribution/steps.ts';
import { orRefused } from './errors.ts';
import { planPartitions } from './partition.ts';
import { type Migration, migrations } from './schema.ts';
import { schemaVersion } from './schema-version.ts';

/** What `migrate` would do now, a line each. Only reads. Throws `Refused`. */
export async function planMigration(url: PostgresUrl, partitions?: number): Promise<readonly string[]> {
  const client = await openClient(url);
  try {
    return await orRefused(async () => {
      await client.query('SET default_transaction_read_only = on');
      const version = await schemaVersion(client);
      const partitioning = partitions === undefined ? null : await planPartitions(client, partitions);
      const state = version === 0 ? null : await citusState(client);
      return [
        ...((await isNextNumberTaken(client)) ? [STEP] : []),
        ...migrations.slice(version).map((each, index) => migrationLine(version + index + 1, each)),
        ...(state ? stepsToDistribute(state).map(lineOf) : []),
        ...(partitioning === null ? [] : [partitioning]),
      ];
    });
  } finally {
    await client.end();
  }
}

function migrationLine(number: number, { concurrently = [], statements }: Migration): string {
  const before =
    concurrently.length > 0 ? `; before it, while the service runs: ${kindsOf(concurrently)}` : '';
  return `migration ${number}, one transaction: ${kindsOf(statements) || 'only its number'}${before}`;
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
