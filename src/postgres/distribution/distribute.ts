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
    if (step.alone) await runAlone(client, step);
    else await inRetriedTransaction(client, waiting, () => runStep(client, step));
  }
}

/** Citus requires this for tables with triggers, which could access other shards. Ours use their own row only. */
const ALLOW_TRIGGERS = 'citus.enable_unsafe_triggers = on';

async function runStep(client: Client, { statements }: Step): Promise<void> {
  await client.query(`SET LOCAL ${ALLOW_TRIGGERS}`);
  // Several tables are changed, over one connection to each worker.
  await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
  for (const statement of statements) await client.query(statement);
}

async function runAlone(client: Client, { statements }: Step): Promise<void> {
  await client.query(`SET ${ALLOW_TRIGGERS}`);
  for (const statement of statements) await client.query(statement);
}
