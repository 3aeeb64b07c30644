/** What is looked at on Citus only. */

import type { OrganizationId } from '../../../shared/record/identifier.ts';
import { StoreUnavailable } from '../../roster/errors.ts';
import { pageStatement } from '../pages/page-sql.ts';
import type { ReadPool } from '../pages/read-pool.ts';
import { READER_ROLE_SETTINGS } from '../pages/reads.ts';
import type { Statements } from '../statements.ts';

/** Where the role hasn't the settings of a reader by itself: those that a connection sets reach no worker. */
export const MISSING_SETTINGS =
  'the role lacks settings that reach the workers of Citus, so that they may sort and scan for each page: serve as ' +
  'keyroster_reader: deploy/postgres-roles.sql makes it and gives it the settings, then start it again';

export async function lacksReaderSettings(client: Statements): Promise<boolean> {
  const { rows } = await client.query(`SELECT unnest(setconfig) AS setting FROM pg_db_role_setting
    WHERE setrole = (SELECT oid FROM pg_roles WHERE rolname = session_user)
      AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))`);
  const settings = new Set(rows.map(({ setting }) => setting));
  return !Object.entries(READER_ROLE_SETTINGS).every(([name, value]) => settings.has(`${name}=${value}`));
}

/** One that answers is enough: while a worker is down, the organizations of the others are served. */
const WORKERS_ASKED = 3;

/** An organization, which there needn't be, on each of some workers. */
const ORGANIZATIONS = `
  SELECT min(name) FROM (SELECT 'org_' || number FROM generate_series(1, 100) AS number) AS made_up (name)
  JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('keyroster.api_keys', name)
  GROUP BY groupid ORDER BY random() LIMIT ${WORKERS_ASKED}`;

/**
 * Reads a page from a shard. Throws `StoreUnavailable` where no page is served, as the coordinator may answer while no worker lets
 * its role in.
 */
export async function requireServedShard(pool: ReadPool): Promise<void> {
  const statement = { name: 'keyroster_shards', text: ORGANIZATIONS, values: [] };
  const organizations = await pool.patient.rows<[OrganizationId]>(statement);
  const { name, text } = pageStatement({ filters: [], direction: null });
  const pages = organizations.map(async ([organization]) => {
    const reads = await pool.pages(organization);
    return reads.rows({ name, text, values: [organization, 1] });
  });
  await Promise.any(pages).catch(({ errors }: AggregateError) => {
    throw errors[0] ?? new StoreUnavailable('PostgreSQL: Citus has no worker');
  });
}
