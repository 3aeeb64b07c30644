import { ageText } from './age.ts';

/** With the microseconds, as the service has it. */
export function exactTime(at: string): string {
  return at.replace('T', ' ').replace('Z', ' UTC');
}

/** In UTC. */
export function dateOf(at: string): string {
  return at.slice(0, 10);
}

/** The date with the age beside it. */
export function Created({ at }: { readonly at: string }) {
  return (
    <time class="created" dateTime={at} title={exactTime(at)}>
      <span class="date">{dateOf(at)}</span> <span class="muted">{ageText(at, Date.now())}</span>
    </time>
  );
}
