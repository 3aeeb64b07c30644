const units = [
  ['year', 365.25 * 24 * 3600],
  ['month', (365.25 / 12) * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

export function relativeTime(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000;
  const [unit, length] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / length), unit);
}

/** With the microseconds, as the service has it. */
export function exactTime(at: string): string {
  return at.replace('T', ' ').replace('Z', ' UTC');
}

export function Created({ at, exact }: { readonly at: string; readonly exact: boolean }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {exact ? exactTime(at) : relativeTime(at, Date.now())}
    </time>
  );
}
