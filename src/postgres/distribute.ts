import type { Client } from 'pg';
import { inTransaction } from './transaction.ts';

/**
 * If the Citus extension is installed, distributes the API keys over the workers by organization, and replicates the small
 * tables to every worker. So an organization's roster is on one shard, and a page is one query to that shard, as every
 * statement names the organization. Does nothing if the tables are distributed already.
 */
export async function distribute(client: Client): Promise<void> {
  const { rows } = await client.query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  if (rows.length === 0) return;
  await inTransaction(client, async () => {
    const distributed = await client.query(
      `SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'keyroster.api_keys'::regclass`,
    );
    if (distributed.rows.length > 0) return;
    // Citus requires this for tables with triggers, which could access other shards. Ours use their own row only.
    await client.query('SET LOCAL citus.enable_unsafe_triggers = on');
    await client.query(`SELECT create_reference_table('keyroster.organizations')`);
    await client.query(`SELECT create_reference_table('keyroster.admin_keys')`);
    await client.query(`SELECT create_distributed_table('keyroster.api_keys', 'organization_id')`);
  });
}
