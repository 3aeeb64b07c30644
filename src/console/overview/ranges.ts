import { type ageBands, DAY_MS } from '../../admin/report/age.ts';
import type { RosterQuery } from '../walk/query.ts';

type Band = (typeof ageBands)[number];

/**
 * Exactly the keys that the report counts in a band of ages. It begins with the keys of exactly `from_days`, and ends before those of
 * exactly `to_days`.
 */
export function queryOfBand({ from_days, to_days }: Band, now: Date): RosterQuery {
  return {
    ...(to_days !== null && { created_from: timestampAfter(now, to_days) }),
    ...(from_days > 0 && { created_before: timestampAfter(now, from_days) }),
  };
}

/** One microsecond after the moment so many days ago: the service's timestamps have microseconds. */
function timestampAfter(now: Date, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString().replace('Z', '001Z');
}
