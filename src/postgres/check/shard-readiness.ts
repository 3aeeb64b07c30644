import { StoreUnavailable } from '../../roster/errors.ts';
import type { OrganizationId } from '../../roster/identifier.ts';
import { pageStatement } from '../page-sql.ts';
import type { Lanes } from '../serving/lanes.ts';

/** One that answers is enough: while a worker is down, the organizations of the others are served. */
const WORKERS_ASKED = 3;

/** An organization, which there needn't be, on each of some workers. */
const ORGANIZATIONS = `
  SELECT min(name) FROM (SELECT 'org_' || number FROM generate_series(1, 100) AS number) AS made_up (name)
  JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('keyroster.api_keys', name)
  GROUP BY groupid ORDER BY random() LIMIT ${WORKERS_ASKED}`;

/**
 * On Citus: an organization, which there needn't be, whose shard answers. Throws `StoreUnavailable` where no page is served, as the
 * coordinator may answer while no worker lets its role in.
 */
export async function servedOrganization(lanes: Lanes): Promise<OrganizationId> {
  const statement = { name: 'keyroster_shards', text: ORGANIZATIONS, values: [] };
  const organizations = await lanes.patient.rows<[OrganizationId]>(statement);
  const { name, text } = pageStatement([], null);
  const pages = organizations.map(async ([organization]) => {
    const lane = await lanes.pages(organization, 1);
    await lane.rows({ name, text, values: [organization, 1] });
    return organization;
  });
  return Promise.any(pages).catch(({ errors }: AggregateError) => {
    throw errors[0] ?? new StoreUnavailable('PostgreSQL: Citus has no worker');
  });
}
