/** Where a standby is in the WAL, in bytes; on a primary both are `null`. */
export interface WalPosition {
  readonly received: number | null;
  readonly replayed: number | null;
  /** Whether it is connected to what it receives from. */
  readonly isReceiving: boolean;
}

/** The columns of a `WalPosition`. A standby that was copied and has never received is where its copy ends. */
export const WAL_POSITION = `
  CASE WHEN pg_is_in_recovery()
    THEN pg_wal_lsn_diff(coalesce(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()), '0/0') END,
  CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') END,
  NOT pg_is_in_recovery() OR EXISTS (SELECT pid FROM pg_stat_wal_receiver)`;

/**
 * For how long a standby has had WAL that it hasn't replayed. The age of its last transaction wouldn't tell: a primary may have none
 * for hours. So it is measured from one look to the next.
 */
export class ReplayLag {
  /** When what was received at each look was first seen, of what isn't replayed yet. */
  #waiting: { readonly received: number; readonly since: number }[] = [];

  /** In seconds; 0 on a primary. */
  secondsAt({ received, replayed }: WalPosition): number {
    if (received === null || replayed === null) {
      this.#waiting = [];
      return 0;
    }
    const now = performance.now();
    if (received > (this.#waiting.at(-1)?.received ?? replayed)) this.#waiting.push({ received, since: now });
    this.#waiting = this.#waiting.filter(each => each.received > replayed);
    const [oldest] = this.#waiting;
    return oldest ? Math.floor((now - oldest.since) / 1000) : 0;
  }
}
