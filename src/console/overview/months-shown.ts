import type { Figures } from '../../report/roster-report.ts';
import type { Count } from '../../report/status-counts.ts';
import { statuses as STATUSES } from '../roster/statuses.ts';
import type { RosterQuery } from '../walk/query.ts';
import { monthAfter, queryOfMonth } from './ranges.ts';

export interface MonthShown {
  readonly label: string;
  readonly count: Count;
  readonly shows: RosterQuery;
  /** More than a month, whose bar would make those of the months too short to compare. */
  readonly isBarless?: true;
}

/**
 * The months of so many years up to the current one, oldest first, those that have no key included: an array for each 12 of them. What
 * is before them is one entry of the first array. What a clock that differs has put behind them is one of the last.
 */
export function monthsShown(byMonth: Figures['by_month'], now: Date, yearsShown: number): MonthShown[][] {
  const first = firstMonth(now, yearsShown);
  const next = monthAfter(first, 12 * yearsShown);
  const counts = new Map(byMonth.map(({ month, ...count }) => [month, count]));
  const shown: MonthShown[] = Array.from({ length: 12 * yearsShown }, (_, index) => {
    const label = monthAfter(first, index);
    return { label, count: counts.get(label) ?? sumOf([]), shows: queryOfMonth(label) };
  });
  const earlier = sumOf(byMonth.filter(({ month }) => month < first));
  const later = sumOf(byMonth.filter(({ month }) => month >= next));
  const years = Array.from({ length: yearsShown }, (_, year) => shown.slice(12 * year, 12 * (year + 1)));
  if (earlier.keys > 0)
    years[0]?.unshift({
      label: `before ${first}`,
      count: earlier,
      shows: { created_before: `${first}-01` },
      isBarless: true,
    });
  if (later.keys > 0)
    years.at(-1)?.push({
      label: `from ${next} on`,
      count: later,
      shows: { created_from: `${next}-01` },
      isBarless: true,
    });
  return years;
}

/** Whether a key is of a month before those that are shown. */
export function hasEarlier(byMonth: Figures['by_month'], now: Date, yearsShown: number): boolean {
  const first = firstMonth(now, yearsShown);
  return byMonth.some(({ month }) => month < first);
}

function firstMonth(now: Date, yearsShown: number): string {
  return monthAfter(now.toISOString().slice(0, '2026-11'.length), 1 - 12 * yearsShown);
}

export function sumOf(counts: readonly Count[]): Count {
  const sums = new Map<string, number>(STATUSES.map(status => [status, 0]));
  for (const { statuses } of counts)
    for (const [status, keys] of Object.entries(statuses)) sums.set(status, (sums.get(status) ?? 0) + keys);
  const keys = counts.reduce((sum, count) => sum + count.keys, 0);
  const active = counts.reduce((sum, count) => sum + count.active, 0);
  return { keys, active, statuses: Object.fromEntries(sums) as Count['statuses'] };
}
