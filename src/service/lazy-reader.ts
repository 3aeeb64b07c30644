import { StoreUnavailable } from './roster/errors.ts';
import type { StoreReader } from './roster/pages/reader.ts';
import { within } from './with-timeout.ts';

/** After it couldn't be opened: a database that is away would else be asked by each request. */
const RETRY_AFTER_MS = 1_000;
/** An opening that takes longer is given up: those that wait are answered, and the next one may find another host. */
const MAX_OPENING_MS = 10_000;

/** A store that is opened when it is first read, and again after that has failed. Until it is open its reads throw `StoreUnavailable`. */
export function lazyReader(open: () => Promise<StoreReader>): StoreReader {
  let opening: Promise<StoreReader> | undefined;
  let store: StoreReader | undefined;
  let isClosed = false;
  const closed = () => new StoreUnavailable('the store is closed');
  const openInTime = async () => {
    const coming = open();
    const tooLong = () => new Error(`that took more than ${MAX_OPENING_MS} ms`);
    try {
      const opened = await within(MAX_OPENING_MS, () => coming, tooLong);
      if (isClosed) throw closed();
      store = opened;
      return opened;
    } catch (error) {
      coming.then(late => late.close()).catch(() => {}); // nobody reads it
      throw error;
    }
  };
  const opened = () => {
    if (isClosed) throw closed();
    opening ??= openInTime().catch(error => {
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
      await store?.close();
    },
  };
}
