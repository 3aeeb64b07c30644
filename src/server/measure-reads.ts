import { StoreBusy } from '../roster/errors.ts';
import type { StoreReader } from '../roster/roster.ts';
import type { Metrics } from './metrics.ts';

/** Wraps the reader to measure the duration and the failures of its reads. */
export function measureReads(roster: StoreReader, metrics: Metrics): StoreReader {
  const measure = async <T>(name: string, read: () => Promise<T>): Promise<T> => {
    const stopTimer = metrics.storeReads.startTimer({ read: name });
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StoreBusy)) metrics.storeFailures.inc({ read: name });
      throw error;
    } finally {
      stopTimer();
    }
  };
  return {
    ...roster,
    listApiKeys: (organization, query) =>
      measure('list_api_keys', () => roster.listApiKeys(organization, query)),
    findAdminKey: (digest, at) => measure('find_admin_key', () => roster.findAdminKey(digest, at)),
  };
}
