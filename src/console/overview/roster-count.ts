import type { ApiKeyRecord } from '../../client/client.ts';
import { ageOf } from '../../report/age.ts';
import { ReportBuilder } from '../../report/report-builder.ts';
import { localFilterOf } from '../walk/local-filter.ts';
import type { RosterQuery } from '../walk/query.ts';
import type { Walk } from '../walk/walk.ts';
import { type WalkSource, walkOfQuery } from '../walk/walk-of-query.ts';

/** How many of the keys of a query a count has read. */
export type Coverage = 'all' | 'some' | 'none';

/** One count of the whole roster: a walk, and the figures of exactly the keys that it has read. Another count is another object. */
export class RosterCount {
  /** Ages are those at this time, however long the count takes. */
  readonly now = new Date();
  readonly walk: Walk;
  readonly figures = new ReportBuilder(this.now);
  /** How many keys there were at the last complete count of this session. */
  readonly expected: number | undefined;
  /** That count, until this one is complete. */
  #before: RosterCount | null;
  /** The `created_at` of the oldest key that was read. */
  #oldest: string | null = null;

  constructor(source: WalkSource, earlier: RosterCount | null = null) {
    this.#before = earlier?.lastComplete ?? null;
    this.expected = this.#before?.total;
    this.walk = walkOfQuery(source, {}, keys => this.#add(keys));
    this.walk.subscribe(() => {
      if (this.total !== undefined) this.#before = null; // so that it can be collected
    });
  }

  /** This count or, until it is complete, the one before it that was; `null`: there is none. */
  get lastComplete(): RosterCount | null {
    return this.total === undefined ? this.#before : this;
  }

  /** Known once the count is complete. */
  get total(): number | undefined {
    return this.walk.state.kind === 'complete' ? this.walk.read : undefined;
  }

  /** Keys are read newest first, so all those of a range of time may be read long before the count is complete, or none. */
  coverageOf(query: RosterQuery): Coverage {
    if (this.total !== undefined) return 'all';
    const { from, before } = localFilterOf(query);
    if (this.#oldest === null || (before !== null && this.#oldest >= before)) return 'none';
    return from !== null && this.#oldest < from ? 'all' : 'some';
  }

  /** Such as "2026-11-22 16:05 UTC". */
  get asOf(): string {
    return `${this.now.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  }

  /** All of the page or, where a record can't be counted, nothing of it: the walk reads it again when it goes on. */
  #add(keys: readonly ApiKeyRecord[]): boolean {
    const aged = keys.map(key => ({ key, ageMs: this.#ageOf(key) }));
    for (const { key, ageMs } of aged) this.figures.add(key, ageMs);
    this.#oldest = keys.at(-1)?.created_at ?? this.#oldest;
    return false;
  }

  #ageOf({ id, created_at }: ApiKeyRecord): number {
    const ageMs = ageOf(created_at, this.now);
    if (ageMs === undefined)
      throw new Error(`The service lists ${id} with a created_at that is not a timestamp.`);
    return ageMs;
  }
}
