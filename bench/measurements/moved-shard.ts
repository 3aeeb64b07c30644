import type { Client } from 'pg';
import type { LoadResult } from '../load/load.ts';
import { median } from '../results/statistics.ts';
import type { Cluster } from '../servers/cluster.ts';

/** Pages in many short windows, of which the p99 is that of the worst. */
interface Windows extends Omit<LoadResult, 'perSecond'> {
  readonly seconds: number;
  readonly perSecond: number;
}

type Send = (seconds: number) => Promise<LoadResult>;

const WINDOW_SECONDS = 0.5;

/** Reads pages until the work is done. */
export async function pagesDuring(send: Send, work: Promise<unknown>): Promise<Windows> {
  const start = performance.now();
  let seconds: number | undefined;
  const done = work.finally(() => {
    seconds = (performance.now() - start) / 1000;
  });
  const windows: LoadResult[] = [];
  do windows.push(await send(WINDOW_SECONDS));
  while (seconds === undefined);
  await done;
  const of = (figure: keyof LoadResult) => windows.map(window => window[figure]);
  return {
    seconds,
    perSecond: median(of('perSecond')),
    p50: median(of('p50')),
    p99: Math.max(...of('p99')),
    shed: of('shed').reduce((sum, shed) => sum + shed, 0),
  };
}

/** Moves the shard of an organization, and those beside it, to another worker. Returns how large it is. */
export async function moveShard(
  client: Client,
  { workers }: Cluster,
  organization: string,
): Promise<{ bytes: number; move: () => Promise<unknown> }> {
  const { rows } = await client.query(
    `SELECT shardid, nodename, nodeport, shard_size::float8 AS bytes FROM citus_shards
     WHERE shardid = get_shard_id_for_distribution_column('keyroster.api_keys', $1::text)`,
    [organization],
  );
  const { shardid, nodename, nodeport, bytes } = rows[0];
  const other = workers.find(({ name }) => name !== `${nodename}:${nodeport}`)?.name ?? '';
  const [host, port] = other.split(':');
  const move = () =>
    client.query('SELECT citus_move_shard_placement($1, $2, $3, $4, $5)', [
      shardid,
      nodename,
      nodeport,
      host,
      port,
    ]);
  return { bytes, move };
}
