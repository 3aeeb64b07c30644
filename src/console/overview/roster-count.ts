import { ageOf } from '../../admin/report/age.ts';
import { ReportBuilder } from '../../admin/report/report-builder.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import type { Walk } from '../walk/walk.ts';
import { type WalkSource, walkOfQuery } from '../walk/walk-of-query.ts';

/** One count of the whole roster: a walk, and the figures of exactly the keys that it has read. Another count is another object. */
export class RosterCount {
  /** Ages are those at this time, however long the count takes. */
  readonly now = new Date();
  readonly walk: Walk;
  readonly figures = new ReportBuilder(this.now);

  constructor(source: WalkSource) {
    this.walk = walkOfQuery(source, {}, keys => this.#add(keys));
  }

  /** Known once the count is complete. */
  get total(): number | undefined {
    return this.walk.state.kind === 'complete' ? this.walk.read : undefined;
  }

  /** Such as "2026-11-22 16:05 UTC". */
  get asOf(): string {
    return `${this.now.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  }

  /** All of the page or, where a record can't be counted, nothing of it: the walk reads it again when it goes on. */
  #add(keys: readonly ApiKeyRecord[]): boolean {
    const aged = keys.map(key => ({ key, ageMs: this.#ageOf(key) }));
    for (const { key, ageMs } of aged) this.figures.add(key, ageMs);
    return false;
  }

  #ageOf({ id, created_at }: ApiKeyRecord): number {
    const ageMs = ageOf(created_at, this.now);
    if (ageMs === undefined)
      throw new Error(`The service lists ${id} with a created_at that is not a timestamp.`);
    return ageMs;
  }
}
