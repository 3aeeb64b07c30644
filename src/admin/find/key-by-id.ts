import {
  type ApiKeyPage,
  type ApiKeyRecord,
  KeyrosterError,
  type ListParameters,
} from '../../client/client.ts';
import { LIMIT } from '../../shared/record/list-query.ts';

export interface KeyAtPlace {
  readonly key: ApiKeyRecord;
  /** The ID of the next newer key; `null`: it is the newest. */
  readonly newer: string | null;
}

const MAX_ATTEMPTS = 5;
/** How services refuse a cursor that they don't know. */
const REFUSED: readonly (number | null)[] = [400, 404, 422];

/**
 * Goes straight to the place of an ID, which the service takes as a cursor: the next newer key is the cursor behind which the list
 * begins with this one, unless another is made in between. Where that doesn't lead there, all keys are looked through. `null`: no key of
 * the organization has the ID.
 */
export async function keyById(
  list: (parameters: ListParameters) => PromiseLike<ApiKeyPage>,
  id: string,
): Promise<KeyAtPlace | null> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const newer = await refusedAsNull(list({ before_id: id, limit: 1 }));
    if (newer === null) {
      await list({ limit: 1 }); // fails where it was something else that the service refused
      return null;
    }
    const after = newer.last_id === null ? {} : { after_id: newer.last_id };
    const key = (await refusedAsNull(list({ ...after, limit: 1 })))?.data[0]; // refused: the newer key was deleted
    if (key?.id === id) return { key, newer: newer.last_id };
  }
  let newer: string | null = null;
  for (let page: ApiKeyPage | null = await list({ limit: LIMIT.max }); page; page = await page.nextPage())
    for (const key of page.data) {
      if (key.id === id) return { key, newer };
      newer = key.id;
    }
  return null;
}

async function refusedAsNull(asked: PromiseLike<ApiKeyPage>): Promise<ApiKeyPage | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof KeyrosterError && REFUSED.includes(error.status)) return null;
    throw error;
  }
}
