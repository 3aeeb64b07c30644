import { setTimeout } from 'node:timers/promises';
import { printError } from '../../shared/command/terminal/print.ts';
import { Refused } from '../../shared/record/faults.ts';

/** The embedded store waits for a lock itself, and PostgreSQL shouldn't be asked often while it starts. */
const PAUSE_MS = { min: 100, max: 5_000 };

/**
 * Writes, and tries again for as long as the store is locked or away. Says so once, and when that is over. When it is asked to stop
 * meanwhile, it tries once more.
 */
export async function untilStored<T>(write: () => Promise<T>, stop: AbortSignal): Promise<T> {
  for (let pause = 0; ; pause = Math.min(Math.max(2 * pause, PAUSE_MS.min), PAUSE_MS.max)) {
    try {
      const written = await write();
      if (pause > 0) printError('keyroster: feed: the store takes writes again');
      return written;
    } catch (error) {
      if (!(error instanceof Refused && error.mayPass) || stop.aborted) throw error;
      if (pause === 0) printError(`keyroster: feed: trying again until it is written: ${error.message}`);
      await setTimeout(pause, undefined, { signal: stop }).catch(() => {});
    }
  }
}
