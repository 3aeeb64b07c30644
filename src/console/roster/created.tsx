import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ageText } from './age.ts';

/** Whether times are shown with their microseconds. A context, so that a change renders the times again and not their rows. */
export const ExactTimes = createContext(false);

/** With the microseconds, as the service has it. */
export function exactTime(at: string): string {
  return at.replace('T', ' ').replace('Z', ' UTC');
}

/** In UTC. */
export function dateOf(at: string): string {
  return at.slice(0, 10);
}

/** The date with the age beside it, or the exact time. */
export function Created({ at }: { readonly at: string }) {
  const exact = useContext(ExactTimes);
  return (
    <time class="created" dateTime={at} title={exactTime(at)}>
      {exact ? (
        exactTime(at)
      ) : (
        <>
          <span class="date">{dateOf(at)}</span> <span class="muted">{ageText(at, Date.now())}</span>
        </>
      )}
    </time>
  );
}
