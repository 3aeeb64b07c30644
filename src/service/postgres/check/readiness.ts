import { Refused } from '../../../shared/record/faults.ts';
import { StoreUnavailable } from '../../roster/errors.ts';
import { requireSchema } from '../migrations/schema.ts';
import type { ReadPool } from '../pages/read-pool.ts';
import { statementsOver } from '../pages/reads.ts';
import { listedRelation } from '../vendor-table/own-table.ts';
import { checkIndexes } from './indexes.ts';
import { lacksReaderSettings, MISSING_SETTINGS, requireServedShard } from './shards.ts';

/** Whether it is connected to what it receives from. A primary is. */
const IS_RECEIVING =
  'SELECT (NOT pg_is_in_recovery() OR EXISTS (SELECT pid FROM pg_stat_wal_receiver))::text AS receiving';

const NOT_RECEIVING =
  'this standby receives nothing from its primary, and so no revocation of an admin key: look into the log of PostgreSQL';

/** On Citus they are on the coordinator, which a worker that the URL names may not reach. */
const ADMIN_KEY = {
  name: 'keyroster_admin_key',
  text: 'SELECT id FROM keyroster.admin_keys LIMIT 1',
  values: [],
};

/**
 * Returns what looks at the store while it is served. A newer release may migrate the database meanwhile. Until each page has its index
 * the service isn't ready, as pages would be slow for all who ask for such ones; later it is told of. It returns what doesn't work while
 * the rest is served, and throws `StoreUnavailable`.
 */
export function readinessOf(pool: ReadPool): () => Promise<string[]> {
  const client = statementsOver(pool.patient);
  let wasWhole = false;
  return async () => {
    const listed = await orUnavailable(async () => {
      await requireSchema(client, 'read');
      return listedRelation(client);
    });
    const findings = await checkIndexes(client, listed);
    const [first, ...more] = findings;
    if (first && !wasWhole) {
      const others = more.length > 0 ? `, and ${more.length} more` : '';
      throw new StoreUnavailable(`PostgreSQL: ${first.problem}${others}: run "keyroster check"`);
    }
    wasWhole = true;
    const problems = findings.map(({ problem, fix }) => `${problem}: ${fix}`);
    if (pool.hasCitus) {
      await requireServedShard(pool);
      await pool.patient.rows(ADMIN_KEY);
      if (await lacksReaderSettings(client)) problems.push(MISSING_SETTINGS);
    }
    const { rows } = await client.query(IS_RECEIVING);
    if (rows[0]?.receiving !== 'true') problems.push(NOT_RECEIVING);
    return problems;
  };
}

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) throw new StoreUnavailable(error.message, { cause: error });
    throw error;
  }
}
