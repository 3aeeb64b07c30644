/** A length of time, in microseconds, as a difference of two timestamps is. */
export type Duration = bigint & { readonly kind: 'Duration' };

const MICROSECONDS: Readonly<Record<string, bigint>> = {
  s: 1_000_000n,
  m: 60_000_000n,
  h: 3_600_000_000n,
  d: 86_400_000_000n,
};
export const DURATION_RULE = 'must be a whole number with a unit of s, m, h or d, such as 7d; at most 36500d';
const MAX_DURATION = 36_500n * 86_400_000_000n;

export function parseDuration(text: string): Duration | undefined {
  const [, number = '', unit = ''] = /^(\d{1,10})([smhd])$/.exec(text) ?? [];
  const microseconds = MICROSECONDS[unit];
  if (microseconds === undefined) return undefined;
  const duration = BigInt(number) * microseconds;
  return duration <= MAX_DURATION ? (duration as Duration) : undefined;
}
