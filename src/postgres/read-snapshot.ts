import { type Client, DatabaseError } from 'pg';
import type { DeclaredField } from '../roster/declared-fields.ts';
import { Refused, StoreUnavailable } from '../roster/errors.ts';
import type { Snapshot } from '../roster/roster.ts';
import { listAdminKeys } from './admin-keys.ts';
import type { PostgresUrl } from './connecting/url.ts';
import { listFields } from './declared-fields.ts';
import { orRefused, RUN_AGAIN } from './errors.ts';
import { explainTimeout } from './explain-timeout.ts';
import { hasCitus } from './has-citus.ts';
import { listApiKeys } from './list-api-keys.ts';
import { openForSchema } from './operator-connection.ts';
import { findOrganization, listOrganizations } from './organizations.ts';
import { KnownFields } from './serving/known-fields.ts';
import {
  type PageReads,
  READER_SETTINGS,
  type Reads,
  type Statement,
  statementsOver,
} from './serving/reads.ts';

/** One transaction, over a connection of its own with the settings of those that the service reads pages by. */
export async function readSnapshot<T>(
  url: PostgresUrl,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = await openForSchema(url, 'read');
  try {
    await orRefused(() => client.query(READER_SETTINGS), RUN_AGAIN);
    await orRefused(() => begin(client), RUN_AGAIN);
    const fields = await orRefused(() => listFields(client), RUN_AGAIN);
    const reads = pageReadsOf(client, fields);
    const read = <R>(once: () => Promise<R>) => orRefused(() => once().catch(explainConflict), RUN_AGAIN);
    return await work({
      listApiKeys: (...args) =>
        listApiKeys(reads, ...args)
          .catch(explainConflict)
          .catch(explainTimeout),
      listFields: async () => fields,
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
  const isOnCitus = await hasCitus(client);
  if (isOnCitus) await client.query('SET citus.max_adaptive_executor_pool_size = 1');
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  if (isOnCitus) await client.query('SELECT FROM keyroster.organizations LIMIT 1');
}

function pageReadsOf(client: Client, fields: readonly DeclaredField[]): PageReads {
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
    pages: async () => reads,
    fields: new KnownFields(() => listFields(statementsOver(reads)), fields),
  };
}

/** SQLSTATE of a statement that a standby cancelled, as it had to apply what the statement's snapshot forbids. */
const CONFLICT_WITH_RECOVERY = '40001';

function explainConflict(error: unknown): never {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  if (cause instanceof DatabaseError && cause.code === CONFLICT_WITH_RECOVERY)
    throw new Refused(
      'the standby ended the read, to apply what the primary has changed: read from the primary, or set hot_standby_feedback = on at the standby',
      { cause },
    );
  throw error;
}
