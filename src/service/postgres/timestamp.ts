import { formatTimestamp, type Timestamp } from '../../shared/record/timestamp.ts';

/** SQL for a column's microseconds since 1970, as text. It is exact, as `extract` gives a numeric with six decimals; and so is `1e6` one. */
export function microseconds(column: string): string {
  return `(extract(epoch FROM ${column}) * 1e6)::bigint::text`;
}

export function timestampOf(text: string): Timestamp {
  return BigInt(text) as Timestamp;
}

/** The timestamp as PostgreSQL parses it, for which the year 0 is 1 BC. */
export function timestamptz(timestamp: Timestamp): string {
  const text = formatTimestamp(timestamp);
  return text.startsWith('0000') ? `0001${text.slice(4)} BC` : text;
}
