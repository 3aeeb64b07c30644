import { agoText } from './age.ts';

/** With the microseconds, as the service has it. */
export function exactTime(at: string): string {
  return at.replace('T', ' ').replace('Z', ' UTC');
}

/** In UTC. */
export function dateOf(at: string): string {
  return at.slice(0, 10);
}

/** How long ago a time was, or when it comes. The time itself is in its title, and on paper the day. */
export function Created({ at }: { readonly at: string }) {
  return (
    <time class="created" dateTime={at} data-day={dateOf(at)} title={exactTime(at)}>
      {agoText(at, Date.now())}
    </time>
  );
}
