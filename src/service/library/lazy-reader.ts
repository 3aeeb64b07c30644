import { StoreUnavailable } from '../roster/errors.ts';
import type { StoreReader } from '../roster/roster.ts';

/** After it couldn't be opened: a database that is away would else be asked by each request. */
const RETRY_AFTER_MS = 1_000;

/** A store that is opened when it is first read, and again after that has failed. Until it is open its reads throw `StoreUnavailable`. */
export function lazyReader(open: () => Promise<StoreReader>): StoreReader {
  let opening: Promise<StoreReader> | undefined;
  let isClosed = false;
  const opened = () => {
    if (isClosed) throw new StoreUnavailable('the store is closed');
    opening ??= open().catch(error => {
      setTimeout(() => {
        opening = undefined;
      }, RETRY_AFTER_MS).unref();
      throw new StoreUnavailable(`the store can't be opened: ${(error as Error).message}`, { cause: error });
    });
    return opening;
  };
  return {
    listApiKeys: async (...args) => (await opened()).listApiKeys(...args),
    findAdminKey: async (...args) => (await opened()).findAdminKey(...args),
    listFields: async () => (await opened()).listFields(),
    checkReadiness: async () => (await opened()).checkReadiness(),
    async close() {
      isClosed = true;
      const store = await opening?.catch(() => undefined);
      await store?.close();
    },
  };
}
