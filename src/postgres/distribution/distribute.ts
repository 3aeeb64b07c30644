import type { Client } from 'pg';
import { inRetriedTransaction, type Waiting } from '../retried-transaction.ts';
import { citusState } from './state.ts';
import { type Step, stepsToDistribute } from './steps.ts';

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
    onStep(step.what);
    if (!step.alone) await inRetriedTransaction(client, waiting, () => runStep(client, step));
    else {
      await client.query('SET citus.enable_unsafe_triggers = on');
      await runStep(client, step);
    }
  }
}

async function runStep(client: Client, { statements }: Step): Promise<void> {
  for (const statement of statements) await client.query(statement);
}
