import type { Client } from 'pg';
import { inTransaction } from './transaction.ts';

/**
 * Where the Citus extension is, spreads the API keys over the workers by organization, and keeps the small tables whole
 * on every worker. An organization's roster lies on one shard, and every statement names the organization: a page is
 * one task on one shard. Once done it does nothing.
 */
export async function distribute(client: Client): Promise<void> {
  const { rows } = await client.query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  if (rows.length === 0) return;
  await inTransaction(client, async () => {
    const spread = await client.query(
      `SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'keyroster.api_keys'::regclass`,
    );
    if (spread.rows.length > 0) return;
    // Citus asks for this since a trigger could reach over shards. Ours looks at nothing but its own row.
    await client.query('SET LOCAL citus.enable_unsafe_triggers = on');
    await client.query(`SELECT create_reference_table('keyroster.organizations')`);
    await client.query(`SELECT create_reference_table('keyroster.admin_keys')`);
    await client.query(`SELECT create_distributed_table('keyroster.api_keys', 'organization_id')`);
  });
}
