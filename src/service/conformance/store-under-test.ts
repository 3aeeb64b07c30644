import type { ApiKeyRecord } from '../../shared/record/api-key-record.ts';
import type { OrganizationId } from '../../shared/record/identifier.ts';
import { type ApiKey, recordOf } from '../roster/api-key.ts';
import type { RosterReader } from '../roster/page.ts';
import { within } from '../within.ts';

/** A store that a check has opened. */
export interface OpenedStore {
  readonly roster: RosterReader;
  /** Called when the check is done with the store. */
  close?(): Promise<void> | void;
}

export interface ConformanceOptions<Store extends OpenedStore = OpenedStore> {
  /**
   * Makes a store with this content and no other: the API keys of each organization, of which some have none. No two keys have
   * the same ID, also across organizations. It is called for each check, when the store of the check before is closed.
   */
  open(content: ReadonlyMap<string, readonly ApiKeyRecord[]>): Promise<Store> | Store;
  /**
   * Stores the record in this store while it is read: inserts it, or replaces name, status and workspace of the key with its ID.
   * Without this function the checks of walks and of pages asked for again aren't run, and their names say so.
   */
  change?(store: Store, organizationId: string, record: ApiKeyRecord): Promise<void> | void;
}

/** What a store has: the API keys of each organization. */
export type Content = ReadonlyMap<OrganizationId, readonly ApiKey[]>;

/** Runs the function over a store with this content. */
export async function withStore<Store extends OpenedStore, T>(
  { open }: ConformanceOptions<Store>,
  content: Content,
  run: (store: Store) => Promise<T>,
): Promise<T> {
  const records = [...content].map(([id, keys]) => [id, keys.map(recordOf)] as const);
  const store = await open(new Map(records));
  const close = () => orFailed('close', () => store.close?.());
  const result = await run(store).catch(async problem => {
    await close().catch(() => {}); // what was wrong before is told
    throw problem;
  });
  await close();
  return result;
}

/** Without a limit the runner's own would end the check, which doesn't know the query. */
const MAX_CALL_MS = 10_000;

/** What the store's code gives. Its error says which function failed. */
export async function orFailed<T>(name: string, call: () => Promise<T> | T): Promise<T> {
  try {
    return await within(MAX_CALL_MS, call, () => new Error(`no answer within ${MAX_CALL_MS} ms`));
  } catch (error) {
    throw new Error(`${name} failed: ${error}`, { cause: error });
  }
}
