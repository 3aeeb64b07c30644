import { type ApiKeyRecord, type KeyrosterClient, KeyrosterError } from '../../client/client.ts';
import { DEFAULT_LIMIT } from '../walk/load-page.ts';
import { checkedRecords } from '../walk/walk.ts';

/**
 * The cursor of a page of all keys that has this one in its middle: `undefined` for the first page. Rejects with a `KeyrosterError`,
 * also where there is no such key.
 */
export async function cursorAround(
  client: KeyrosterClient,
  id: string,
  limit: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const half = Math.max(1, Math.floor(limit / 2));
  const newer = await client.apiKeys.list({ before_id: id, limit: half }, { signal });
  const fitsFirstPage = !newer.has_more && newer.data.length < limit;
  return fitsFirstPage ? undefined : (newer.first_id ?? undefined);
}

/** One key, `undefined` where there is none: the operation can only list. Rejects with a `KeyrosterError`. */
export async function loadKey(
  client: KeyrosterClient,
  id: string,
  signal: AbortSignal,
): Promise<ApiKeyRecord | undefined> {
  try {
    const after_id = await cursorAround(client, id, DEFAULT_LIMIT, signal);
    const page = await client.apiKeys.list(after_id === undefined ? {} : { after_id }, { signal });
    return checkedRecords(page.data).find(key => key.id === id);
  } catch (error) {
    // It is the ID that is refused: nothing else of the request may be.
    if (error instanceof KeyrosterError && error.type === 'invalid_request_error') return undefined;
    throw error;
  }
}
