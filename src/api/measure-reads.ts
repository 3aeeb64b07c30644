import { StoreBusy } from '../roster/errors.ts';
import type { AdminKeyReader, PageReader } from '../roster/roster.ts';
import type { Metrics } from './metrics.ts';

/** Measures the duration and the failures of the reads of pages. */
export function measureRoster(roster: PageReader, metrics: Metrics): PageReader {
  return {
    listApiKeys: (organization, query) =>
      measure(metrics, 'list_api_keys', () => roster.listApiKeys(organization, query)),
  };
}

/** The same for lookups of admin keys. */
export function measureAdminKeys(keys: AdminKeyReader, metrics: Metrics): AdminKeyReader {
  return {
    findAdminKey: (digest, at) => measure(metrics, 'find_admin_key', () => keys.findAdminKey(digest, at)),
  };
}

async function measure<T>(metrics: Metrics, name: string, read: () => Promise<T>): Promise<T> {
  const stopTimer = metrics.storeReads.startTimer({ read: name });
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof StoreBusy)) metrics.storeFailures.inc({ read: name });
    throw error;
  } finally {
    stopTimer();
  }
}
