import { timeOf, UNTOLD } from '../../client/listed-key.ts';

export const DAY_MS = 86_400_000;

const BOUNDS = [0, 30, 90, 180, 365, 730];

/** `from_days` is inclusive, `to_days` exclusive; `null`: no upper bound. */
export const ageBands = BOUNDS.map((from_days, index) => ({ from_days, to_days: BOUNDS[index + 1] ?? null }));

/** The index of the band. A negative age, from clocks that differ, is in the first one. */
export function bandOf(ageMs: number): number {
  return Math.max(
    0,
    ageBands.findLastIndex(({ from_days }) => ageMs >= from_days * DAY_MS),
  );
}

/** `from_days` is `null` for keys that don't tell when they were made. */
export type Band = Readonly<Record<'from_days' | 'to_days', number | null>>;

export function bandText({ from_days, to_days }: Band): string {
  if (from_days === null) return UNTOLD;
  if (from_days === 0) return `under ${to_days} days`;
  return to_days === null ? `${from_days} days and more` : `${from_days} to ${to_days - 1} days`;
}

export const daysOld = (ageMs: number) => Math.max(0, Math.floor(ageMs / DAY_MS));

/** In milliseconds; `NaN` where it is no timestamp. */
export function ageOf(createdAt: unknown, now: Date): number {
  return now.getTime() - timeOf(createdAt);
}

/** How far a time is from now: `in 12d`, `3d ago`; empty where there is none. */
export function daysFrom(time: number | null | undefined, now: Date): string {
  if (time === null || time === undefined) return '';
  const days = `${daysOld(Math.abs(time - now.getTime()))}d`;
  return time > now.getTime() ? `in ${days}` : `${days} ago`;
}
