import type { Client } from 'pg';
import { StoreUnavailable } from '../roster/errors.ts';
import type { Snapshot } from '../roster/roster.ts';
import type { PostgresUrl } from './connecting/url.ts';
import { hasCitus } from './distribution/state.ts';
import { explainTimeout, orRefused, RUN_AGAIN } from './errors.ts';
import { openForSchema } from './operator-connection.ts';
import { KnownTable } from './pages/known-table.ts';
import { listApiKeys } from './pages/list-api-keys.ts';
import {
  type PageReads,
  READER_SETTINGS,
  type Reads,
  type Statement,
  statementsOver,
} from './pages/reads.ts';
import { type PageTable, pageTable } from './vendor-table/own-table.ts';
import { listAdminKeys } from './writes/admin-keys.ts';
import { findOrganization, listOrganizations } from './writes/organizations.ts';

/** One transaction, over a connection of its own with the settings of those that the service reads pages by. */
export async function readSnapshot<T>(
  url: PostgresUrl,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = await openForSchema(url, 'read');
  try {
    const read = <R>(once: () => Promise<R>) => orRefused(once, RUN_AGAIN);
    await read(() => begin(client));
    const table = await read(() => pageTable(client));
    const reads = pageReadsOf(client, table);
    return await work({
      listApiKeys: (...args) => listApiKeys(reads, ...args).catch(explainTimeout),
      listFields: async () => table.fields,
      listOrganizations: (...args) => read(() => listOrganizations(client, ...args)),
      findOrganization: id => read(() => findOrganization(client, id)),
      listAdminKeys: (...args) => read(() => listAdminKeys(client, ...args)),
    });
  } finally {
    await client.end();
  }
}

/**
 * On Citus each connection to a worker has a snapshot of its own, from its first query on. So there is one connection to each, and
 * one query goes to all of them at once.
 */
async function begin(client: Client): Promise<void> {
  await client.query(READER_SETTINGS);
  const isOnCitus = await hasCitus(client);
  if (isOnCitus) await client.query('SET citus.max_adaptive_executor_pool_size = 1');
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  if (isOnCitus) await client.query('SELECT FROM keyroster.organizations LIMIT 1');
}

function pageReadsOf(client: Client, table: PageTable): PageReads {
  const reads: Reads = {
    async rows<Row extends unknown[]>({ name, text, values }: Statement) {
      try {
        const { rows } = await client.query<Row>({ name, text, values: [...values], rowMode: 'array' });
        return rows;
      } catch (cause) {
        throw new StoreUnavailable(`PostgreSQL: ${(cause as Error).message}`, { cause });
      }
    },
  };
  return {
    pages: () => reads,
    table: new KnownTable(() => pageTable(statementsOver(reads)), table),
  };
}
