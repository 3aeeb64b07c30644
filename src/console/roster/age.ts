const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
const format = new Intl.RelativeTimeFormat('en');

/** In whole units that have passed, or are to come: "16 hours ago", "in 60 days". No more than days, as policies count them. */
export function agoText(at: string, now: number): string {
  const distance = Date.parse(at) - now;
  const [unit, length] = UNITS.find(([, ms]) => Math.abs(distance) >= ms) ?? [];
  return unit ? format.format(Math.trunc(distance / length), unit) : 'just now';
}
