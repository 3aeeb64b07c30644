import { StoreBusy } from '../roster/errors.ts';
import type { RosterReader } from '../roster/roster.ts';
import type { Metrics } from './metrics.ts';
import type { Overload } from './overload.ts';

/** The same reader, each of whose reads is followed while it is under way, and measured. */
export function watchReads(roster: RosterReader, overload: Overload, metrics?: Metrics): RosterReader {
  const watch = async <T>(name: string, read: () => Promise<T>): Promise<T> => {
    const end = overload.beginRead();
    const stopTimer = metrics?.storeReads.startTimer({ read: name });
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StoreBusy)) metrics?.storeFailures.inc({ read: name });
      throw error;
    } finally {
      stopTimer?.();
      end();
    }
  };
  return {
    ...roster,
    listApiKeys: (organization, query) =>
      watch('list_api_keys', () => roster.listApiKeys(organization, query)),
    findAdminKey: (digest, at) => watch('find_admin_key', () => roster.findAdminKey(digest, at)),
  };
}
