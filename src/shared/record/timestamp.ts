/**
 * A time in UTC, in whole microseconds since 1970. A bigint, because a `Date` has only milliseconds, and a number is exact
 * only until the year 2255.
 */
export type Timestamp = bigint & { readonly kind: 'Timestamp' };

export const TIMESTAMP_RULE = 'must be an RFC 3339 timestamp such as 2024-10-30T23:58:27.427722Z';

// RFC 3339, section 5.6: "T" and "Z" may be lower case, an offset is allowed.
const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

export const EARLIEST = utcMicroseconds(0, 1, 1, 0, 0, 0);
export const LATEST = utcMicroseconds(9999, 12, 31, 23, 59, 59) + 999_999n;

/**
 * Parses an RFC 3339 timestamp. `undefined` for any other text, and for a time that can't be stored exactly: a day that
 * the month doesn't have, a leap second, digits below the microsecond, or a year outside 0 to 9999 in UTC. Nothing is
 * rounded.
 */
export function parseTimestamp(text: unknown): Timestamp | undefined {
  const match = typeof text === 'string' ? RFC_3339.exec(text) : null;
  if (!match) return undefined;
  const [, years, months, days, hours, minutes, seconds, fraction = '', sign, offsetHours, offsetMinutes] =
    match;
  const [year, month, day] = [Number(years), Number(months), Number(days)];
  if (day < 1 || day > daysIn(year, month)) return undefined;
  if (fraction.length > 6 && /[1-9]/.test(fraction.slice(6))) return undefined;
  const offset = sign ? Number(`${sign}1`) * (Number(offsetHours) * 60 + Number(offsetMinutes)) : 0;
  const local = utcMicroseconds(year, month, day, Number(hours), Number(minutes) - offset, Number(seconds));
  const timestamp = local + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
  return timestamp < EARLIEST || timestamp > LATEST ? undefined : (timestamp as Timestamp);
}

/** In milliseconds since 1970: a timestamp, or a day's first moment in UTC. */
export function parseMoment(text: unknown): number | undefined {
  const isDay = typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text);
  const time = parseTimestamp(isDay ? `${text}T00:00:00Z` : text);
  return time === undefined ? undefined : Number(time / 1000n);
}

/** RFC 3339 in UTC, with `Z` and always six decimals. */
export function formatTimestamp(timestamp: Timestamp): string {
  const fraction = ((timestamp % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((timestamp - fraction) / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(fraction).padStart(6, '0')}Z`;
}

export function formatTimeOrNull(time: Timestamp | null): string | null {
  return time === null ? null : formatTimestamp(time);
}

export function timestampOfDate(date: Date): Timestamp {
  return (BigInt(date.getTime()) * 1000n) as Timestamp;
}

export const timestampNow = () => timestampOfDate(new Date());

function utcMicroseconds(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): bigint {
  // Date.UTC reads the years 0 to 99 as 1900 to 1999. Every 400 years have the same days: 146,097.
  const later = Date.UTC(year + 400, month - 1, day, hour, minute, second);
  return BigInt(later - 146_097 * 86_400_000) * 1000n;
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
