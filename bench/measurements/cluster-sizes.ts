import { readFileSync } from 'node:fs';
import type { Client } from 'pg';
import type { Cluster } from '../servers/cluster.ts';

/** Bytes of a table on all nodes. */
export interface TableSize {
  readonly heap: number;
  readonly indexes: number;
  readonly total: number;
}

const prefix = ({ workers }: Cluster) => (workers.length > 0 ? 'citus' : 'pg');

export async function sizeOf(cluster: Cluster, table: 'api_keys' | 'organizations'): Promise<TableSize> {
  const [heap = 0, total = 0] = await Promise.all(
    ['table_size', 'total_relation_size'].map(size =>
      numberFrom(cluster.coordinator, `SELECT ${prefix(cluster)}_${size}('keyroster.${table}')`),
    ),
  );
  return { heap, indexes: total - heap, total };
}

/** Rows of a table that is on the coordinator, and bytes of each. Citus knows of the admin keys, and not of the audit log. */
export async function rowsOnCoordinator(
  cluster: Cluster,
  table: 'admin_keys' | 'audit_log',
): Promise<{ rows: number; bytesEach: number }> {
  const { coordinator } = cluster;
  const rows = await numberFrom(coordinator, `SELECT count(*) FROM keyroster.${table}`);
  const kind = table === 'admin_keys' ? prefix(cluster) : 'pg';
  const bytes = await numberFrom(coordinator, `SELECT ${kind}_total_relation_size('keyroster.${table}')`);
  return { rows, bytesEach: bytes / rows };
}

/** Bytes of WAL that the nodes with API keys have written since they were made. */
export async function walWritten(cluster: Cluster): Promise<number> {
  const written = await Promise.all(
    nodesOfKeys(cluster).map(client =>
      numberFrom(client, `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')`),
    ),
  );
  return written.reduce((sum, bytes) => sum + bytes, 0);
}

/** The service's connections to a node, and how much memory of its own each has; `null` where that can't be read. */
export async function connectionsTo(client: Client, readerUrl: string) {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
       AND usename = $1 AND pid <> pg_backend_pid()`,
    [new URL(readerUrl).username],
  );
  const memory = rows.map(({ pid }) => ownMemory(pid));
  return { count: rows.length, bytes: memory.includes(null) ? null : Math.max(0, ...memory.map(Number)) };
}

export function nodesOfKeys({ coordinator, workers }: Cluster): readonly Client[] {
  return workers.length > 0 ? workers.map(({ client }) => client) : [coordinator];
}

async function numberFrom(client: Client, sql: string): Promise<number> {
  const { rows } = await client.query({ text: sql, rowMode: 'array' });
  return Number(rows[0]?.[0]);
}

/** Not what it shares with others, such as PostgreSQL's buffers. Of a process on another machine it isn't known. */
function ownMemory(pid: number): number | null {
  try {
    const found = /^Private_Dirty:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return found ? Number(found[1]) * 1024 : null;
  } catch {
    return null;
  }
}
