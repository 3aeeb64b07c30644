/** The keys of a range of time, as a query that has exactly those that the report counts there. */
import { type ageBands, DAY_MS } from '../../report/age.ts';
import type { RosterQuery } from '../walk/query.ts';

type Band = (typeof ageBands)[number];

/** The keys that break the report's policy `max-age` of as many days. */
export function queryOfOlder(days: number, now: Date): RosterQuery {
  return { status: 'active', created_before: timestampBefore(now, days) };
}

/** A band begins with the keys of exactly `from_days`, and ends before those of exactly `to_days`. */
export function queryOfBand({ from_days, to_days }: Band, now: Date): RosterQuery {
  return {
    ...(to_days !== null && { created_from: timestampBefore(now, to_days, 1) }),
    ...(from_days > 0 && { created_before: timestampBefore(now, from_days, 1) }),
  };
}

/** @param month such as `2026-11`, in UTC. */
export function queryOfMonth(month: string): RosterQuery {
  return { created_from: `${month}-01`, created_before: `${monthAfter(month)}-01` };
}

export function monthAfter(month: string, months = 1): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, month.length);
}

/** The service's timestamps have microseconds. */
function timestampBefore(now: Date, days: number, microseconds = 0): string {
  const moment = new Date(now.getTime() - days * DAY_MS).toISOString();
  return moment.replace('Z', `${String(microseconds).padStart(3, '0')}Z`);
}
