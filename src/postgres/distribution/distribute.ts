import type { Client } from 'pg';
import { inRetriedTransaction, type Waiting } from '../retried-transaction.ts';
import { citusState } from './state.ts';
import { lineOf, stepsToDistribute } from './steps.ts';
import { unknownOrganizations } from './unknown-organizations.ts';

/**
 * If the Citus extension is installed, distributes the tables over its nodes (see `stepsToDistribute`), so that a page is one query
 * to one shard. Every statement names the organization for that. `onStep` is told of each step before it is run.
 */
export async function distribute(
  client: Client,
  waiting: Waiting,
  onStep: (what: string) => void,
): Promise<void> {
  const state = await citusState(client);
  for (const step of state ? stepsToDistribute(state) : []) {
    const { alone, statements } = step;
    onStep(lineOf(step));
    try {
      if (!alone) await inRetriedTransaction(client, waiting, () => run(client, statements));
      else {
        await client.query('SET citus.enable_unsafe_triggers = on');
        await run(client, statements);
      }
    } catch (error) {
      throw (await unknownOrganizations(client, error)) ?? error;
    }
  }
}

async function run(client: Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
}
