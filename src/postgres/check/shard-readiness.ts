import { StoreUnavailable } from '../../roster/errors.ts';
import { pageStatement } from '../page-sql.ts';
import { PipelinedConnection } from '../serving/pipelined-connection.ts';

/** One that answers is enough: while a worker is down, the organizations of the others are served. */
const WORKERS_ASKED = 3;

/** An organization, which there needn't be, on each of some workers. */
const ORGANIZATIONS = `
  SELECT min(name) FROM (SELECT 'org_' || number FROM generate_series(1, 100) AS number) AS made_up (name)
  JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('keyroster.api_keys', name)
  GROUP BY groupid ORDER BY random() LIMIT ${WORKERS_ASKED}`;

export interface ShardReadiness {
  /** Throws `StoreUnavailable` where no page is served: the coordinator may answer while no worker lets its role in. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** On Citus reads a page of some workers, each over its own connection, so that no page of a caller waits for one that hangs. */
export function shardReadiness(url: string): ShardReadiness {
  const connections = Array.from({ length: WORKERS_ASKED }, () => new PipelinedConnection(url));
  const [first] = connections as [PipelinedConnection];
  const query = (text: string) => first.rows<[string]>({ name: '', text, values: [] });
  let isCitus: boolean | undefined;
  return {
    check: async () => {
      if (isCitus === false) return;
      isCitus ??= (await query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`)).length > 0;
      if (!isCitus) return first.close();
      const organizations = await query(ORGANIZATIONS);
      const { name, text } = pageStatement([], null);
      const pages = organizations.map(async ([organization], index) => {
        const connection = connections[index] ?? first;
        connection.refuseWhenBusy();
        await connection.rows({ name, text, values: [organization, 1] });
      });
      await Promise.any(pages).catch(({ errors }: AggregateError) => {
        throw errors[0] ?? new StoreUnavailable('PostgreSQL: Citus has no worker');
      });
    },
    close: async () => {
      await Promise.all(connections.map(connection => connection.close()));
    },
  };
}
