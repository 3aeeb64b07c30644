import type { Client } from 'pg';
import { Refused } from '../../../shared/record/faults.ts';
import { parseOwnerId } from '../../../shared/record/identifier.ts';
import { FOREIGN_KEY_VIOLATION } from '../errors.ts';
import { inRetriedTransaction, type OnWaiting } from '../transaction.ts';
import { citusState } from './state.ts';
import { lineOf, stepsToDistribute } from './steps.ts';

/**
 * If the Citus extension is installed, distributes the tables over its nodes (see `stepsToDistribute`), so that a page is one query
 * to one shard. Every statement names the organization for that. `onStep` is told of each step before it is run.
 */
export async function distribute(
  client: Client,
  onWaiting: OnWaiting,
  onStep: (what: string) => void,
): Promise<void> {
  const state = await citusState(client);
  for (const step of state ? stepsToDistribute(state) : []) {
    const { alone, statements } = step;
    onStep(lineOf(step));
    try {
      if (!alone) await inRetriedTransaction(client, onWaiting, () => run(client, statements));
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

/** How many are named. */
const MAX_NAMED = 5;

/**
 * Which organizations are missing where the foreign key of `api_keys` can't be restored: while it was away, an issuer has inserted
 * API keys of them. `undefined` for any other error.
 */
async function unknownOrganizations(client: Client, error: unknown): Promise<Refused | undefined> {
  if ((error as { code?: unknown }).code !== FOREIGN_KEY_VIOLATION) return undefined;
  const { rows } = await client.query<{ id: string; count: string }>(UNKNOWN_ORGANIZATIONS);
  const ids = rows.map(({ id }) => parseOwnerId(id) ?? 'one whose ID breaks its rule');
  if (ids.length === 0) return undefined;
  const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
  const keys = rows.reduce((sum, { count }) => sum + Number(count), 0);
  return new Refused(
    `database: ${keys} API key(s) are of ${ids.length} unknown organization(s): ${ids.slice(0, MAX_NAMED).join(', ')}${more}; ` +
      'make each with "keyroster organizations create <name> --id <id>", then run "keyroster migrate" again',
    { cause: error },
  );
}

const UNKNOWN_ORGANIZATIONS = `
  SELECT organization_id AS id, count(*) FROM keyroster.api_keys
    LEFT JOIN keyroster.organizations ON organizations.id = organization_id
  WHERE organizations.id IS NULL GROUP BY organization_id ORDER BY organization_id`;
