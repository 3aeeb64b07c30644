import { setTimeout } from 'node:timers/promises';

/** Far longer than anything here takes, also on a busy machine. */
const MAX_WAIT_MS = 60_000;

/** Looks until it is so, and returns what was found then. Fails after a minute, with what was waited for. */
export async function until<Found>(
  what: string,
  look: () => Found | Promise<Found>,
): Promise<Exclude<Found, false | null | undefined>> {
  const end = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const found = await look();
    if (found) return found as Exclude<Found, false | null | undefined>;
    if (performance.now() > end) throw new Error(`waited for ${MAX_WAIT_MS / 1000} s until ${what}`);
    await setTimeout(5);
  }
}
