import type { Client } from 'pg';
import type { Statement } from './reads.ts';

/** Which server of PostgreSQL this is, and up to where it has the log of its cluster (WAL). */
export interface Position {
  readonly isStandby: boolean;
  /** Of the cluster: a standby has that of its primary. */
  readonly system: string;
  /** When the server was started. It tells servers apart that have one address, and a server from itself before it crashed. */
  readonly startedAt: string;
  /** Each promotion begins another one, whose positions can't be compared with those of the one before. */
  readonly timeline: number;
  /** In bytes: what a primary has on its disk, and what a standby shows to its readers. */
  readonly lsn: number;
}

/**
 * Any role may ask for all of it but `received_tli`, which is `NULL` without `pg_read_all_stats`. The others know a new timeline
 * when the standby has written it to its control file, which may take minutes.
 */
export const POSITION = {
  name: 'keyroster_position',
  text: `
    SELECT pg_is_in_recovery(), system_identifier, extract(epoch FROM pg_postmaster_start_time()),
      CASE WHEN pg_is_in_recovery()
        THEN greatest(timeline_id, min_recovery_end_timeline, (SELECT received_tli FROM pg_stat_wal_receiver))
        ELSE ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int END,
      pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END, '0/0')
    FROM pg_control_system(), pg_control_checkpoint(), pg_control_recovery()`,
  values: [],
} as const satisfies Statement;

export type PositionRow = [
  isStandby: string,
  system: string,
  startedAt: string,
  timeline: string,
  lsn: string,
];

/** That of the server which this connection is to. */
export async function positionOf(client: Client): Promise<Position> {
  const { rows } = await client.query<PositionRow>({ ...POSITION, values: [], rowMode: 'array' });
  return parsePosition(rows[0] as PositionRow);
}

export function parsePosition([isStandby, system, startedAt, timeline, lsn]: PositionRow): Position {
  return {
    isStandby: isStandby === 't',
    system,
    startedAt,
    timeline: Number(timeline),
    lsn: Number(lsn),
  };
}
