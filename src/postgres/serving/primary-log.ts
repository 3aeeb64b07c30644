import type { Position } from './position.ts';

/** What the primary had at a time. */
export interface Sample {
  readonly position: Position;
  /** By `performance.now()`, before the primary was asked. */
  readonly at: number;
}

/**
 * Up to where the log of the primary was at which time, by the clock of this process alone. A standby that has replayed as much as the
 * primary had at a time has all that was acknowledged before that time.
 */
export class PrimaryLog {
  readonly #keptMs: number;
  /** Oldest first, all of one timeline. */
  #samples: Sample[] = [];

  /** @param keptMs how long a sample is kept. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  add(sample: Sample): void {
    const last = this.#samples.at(-1);
    if (last && !isSameHistory(last.position, sample.position)) this.#samples = [];
    // While nothing is written, only the time moves on.
    if (last?.position.lsn === sample.position.lsn) this.#samples.pop();
    this.#samples.push(sample);
    const oldest = sample.at - this.#keptMs;
    this.#samples = this.#samples.filter(({ at }) => at >= oldest);
  }

  /** The latest of which this standby has all. */
  latestOf(standby: Position): Sample | undefined {
    return this.#samples.findLast(
      ({ position }) => isSameHistory(position, standby) && position.lsn <= standby.lsn,
    );
  }

  /** Why this server isn't the primary any more, though it takes writes; `null` where it may be. */
  refusalOf(server: Position): string | null {
    const primary = this.#samples.at(-1)?.position;
    if (!primary || server.system !== primary.system || server.timeline >= primary.timeline) return null;
    const was = `this was the primary: it is on timeline ${server.timeline}, and the primary is on ${primary.timeline}`;
    return `${was}: stop it; if it is to be the primary, restart serve`;
  }

  /** Why this server can't have what the primary has; `null` where it can. */
  problemOf(server: Position): string | null {
    const primary = this.#samples.at(-1)?.position;
    // A standby that was promoted is the primary from then on.
    if (!server.isStandby && server.startedAt !== primary?.startedAt)
      return 'is not a standby: it takes writes';
    if (!primary) return 'nothing is known of the primary, which --database has to name';
    if (server.system !== primary.system) return 'is a standby of another primary';
    return server.timeline === primary.timeline
      ? null
      : `is on timeline ${server.timeline}, and the primary is on ${primary.timeline}`;
  }
}

function isSameHistory(one: Position, other: Position): boolean {
  return one.system === other.system && one.timeline === other.timeline;
}
