const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Days say more than months up to here: a month has 28 to 31 of them. */
const FIRST_MONTHS = 3;

/**
 * How old a key is, in whole units that have passed: "60 days", "1 y 11 mo"; of a time to come "in 60 days". Never more than the age.
 * Months and years are those of the calendar, in UTC.
 */
export function ageText(at: string, now: number): string {
  const from = Date.parse(at);
  const age = now - from;
  if (age <= -MINUTE) return `in ${ageText(new Date(now).toISOString(), from)}`;
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h`;
  const months = monthsBetween(new Date(from), new Date(now));
  if (months < FIRST_MONTHS) return daysText(Math.floor(age / DAY));
  const [years, rest] = [Math.floor(months / 12), months % 12];
  return [years > 0 && `${years} y`, rest > 0 && `${rest} mo`].filter(Boolean).join(' ');
}

/** "16 h ago", "in 60 days", "just now". */
export function agoText(at: string, now: number): string {
  const text = ageText(at, now);
  return /^(in|just) /.test(text) ? text : `${text} ago`;
}

const daysText = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`;

/** How often the day of the month and the time of day came round. */
function monthsBetween(from: Date, to: Date): number {
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return partOfMonth(to) < partOfMonth(from) ? months - 1 : months;
}

/** The milliseconds of the month that have passed. */
function partOfMonth(date: Date): number {
  return (date.getUTCDate() - 1) * DAY + (date.getTime() - Math.floor(date.getTime() / DAY) * DAY);
}
