/** What the overview counts. Memory grows with the number of workspaces, creators and months, not of keys. */
import type { ApiKeyRecord } from '../../client/client.ts';
import { statuses } from '../roster/statuses.ts';
import type { RosterQuery } from '../walk/query.ts';

export interface Bar {
  readonly label: string;
  readonly count: number;
  /** The roster's parameters for these keys; `null` where no filter selects them. */
  readonly shows: RosterQuery | null;
}

const DAY_MS = 24 * 3600 * 1000;
const OLDEST = ['730 days and more', Infinity] as const;
/** The same as in `keyroster report`. */
const ages = [
  ['under 30 days', 30],
  ['30 to 89 days', 90],
  ['90 to 179 days', 180],
  ['180 to 364 days', 365],
  ['365 to 729 days', 730],
  OLDEST,
] as const;
export const TOP = 10;
export const MONTHS_SHOWN = 36;

/** Keys that follow each other in the order. No filter selects them, but the roster can open at the first of them. */
interface KeyRange {
  count: number;
  /** The key just before the range. */
  readonly after_id?: string;
}

export class Tally {
  count = 0;
  readonly #now: number;
  #last: string | undefined;
  readonly #statuses = new Map<string, number>();
  readonly #workspaces = new Map<string | null, number>();
  readonly #creators = new Map<string, number>();
  readonly #ages = new Map<string, KeyRange>();
  readonly #months = new Map<string, KeyRange>();

  constructor(now = Date.now()) {
    this.#now = now;
  }

  /** Must be called in the order of the roster. */
  add({ id, status, workspace_id, created_by, created_at }: ApiKeyRecord): void {
    increase(this.#statuses, status);
    increase(this.#workspaces, workspace_id);
    increase(this.#creators, created_by.id);
    this.#countInRange(this.#ages, ageOf(created_at, this.#now));
    this.#countInRange(this.#months, created_at.slice(0, 7));
    this.count += 1;
    this.#last = id;
  }

  /** The statuses of the filter's menu, then those that only a newer service knows. */
  byStatus(): Bar[] {
    const all = new Set<string>([...statuses, ...this.#statuses.keys()]);
    return Array.from(all, status => ({
      label: status,
      count: this.#statuses.get(status) ?? 0,
      shows: { status },
    }));
  }

  byAge(): Bar[] {
    return ages.map(([label]) => barOf(label, this.#ages.get(label)));
  }

  /** Oldest first, with the months that have no key. Months before the chart's first are one bar. */
  byMonth(): Bar[] {
    const [newest, ...older] = this.#months.keys();
    if (newest === undefined) return [];
    const oldest = older.at(-1) ?? newest;
    const shown = monthsBack(newest, oldest).slice(0, MONTHS_SHOWN);
    const bars = shown.map(month => barOf(month, this.#months.get(month))).reverse();
    const hidden = older.filter(month => !shown.includes(month)).map(month => this.#months.get(month));
    const count = hidden.reduce((sum, range) => sum + (range?.count ?? 0), 0);
    return count > 0 ? [barOf('earlier', { ...hidden[0], count }), ...bars] : bars;
  }

  topWorkspaces(): Bar[] {
    return top(this.#workspaces).map(([id, count]) =>
      // No filter selects the default workspace.
      id === null
        ? { label: 'default', count, shows: null }
        : { label: id, count, shows: { workspace_id: id } },
    );
  }

  topCreators(): Bar[] {
    return top(this.#creators).map(([id, count]) => ({
      label: id,
      count,
      shows: { created_by_user_id: id },
    }));
  }

  #countInRange(ranges: Map<string, KeyRange>, label: string): void {
    const range = ranges.get(label);
    if (range) range.count += 1;
    else ranges.set(label, { count: 1, ...(this.#last !== undefined && { after_id: this.#last }) });
  }
}

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function ageOf(createdAt: string, now: number): string {
  const days = (now - Date.parse(createdAt)) / DAY_MS;
  return (ages.find(([, limit]) => days < limit) ?? OLDEST)[0];
}

function barOf(label: string, range: KeyRange | undefined): Bar {
  const { count, ...shows } = range ?? { count: 0 };
  return { label, count, shows: count > 0 ? shows : null };
}

function top<Key>(counts: ReadonlyMap<Key, number>): [Key, number][] {
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, TOP);
}

/** `2025-02`, `2025-01`, `2024-12`, … */
function monthsBack(newest: string, oldest: string): string[] {
  const months = [];
  for (let month = newest; month >= oldest && months.length <= MONTHS_SHOWN; month = monthBefore(month))
    months.push(month);
  return months;
}

function monthBefore(text: string): string {
  const [year = 0, month = 0] = text.split('-').map(Number);
  return month > 1
    ? `${text.slice(0, 4)}-${String(month - 1).padStart(2, '0')}`
    : `${String(year - 1).padStart(4, '0')}-12`;
}
