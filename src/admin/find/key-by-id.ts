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

/** How services refuse a cursor that they don't know. */
const REFUSED: readonly (number | null)[] = [400, 404, 422];

/** How a service is asked for pages. */
interface Asking {
  readonly list: (parameters: ListParameters) => PromiseLike<ApiKeyPage>;
  readonly pages: (parameters: ListParameters) => AsyncIterable<ApiKeyPage>;
}

/**
 * Goes straight to the place of an ID, which the service takes as a cursor: the next newer key is the cursor behind which the list
 * begins with this one. Where another was made in between, or the service takes cursors in another way, all keys are looked through.
 * `null`: no key of the organization has the ID.
 */
export async function keyById({ list, pages }: Asking, id: string): Promise<KeyAtPlace | null> {
  const before = await refusedAsNull(list({ before_id: id, limit: 1 }));
  if (before === null) {
    const isKnown = (await refusedAsNull(list({ after_id: id, limit: 1 }))) !== null; // some go in one direction only
    await list({ limit: 1 }); // fails where it was something else that the service refused
    if (!isKnown) return null;
  } else {
    const cursor = before.last_id === null ? {} : { after_id: before.last_id };
    const next = (await refusedAsNull(list({ ...cursor, limit: 1 })))?.data[0]; // refused: the newer key was deleted
    if (next?.id === id) return { key: next, newer: before.last_id };
  }
  let newer: string | null = null;
  for await (const { data } of pages({ limit: LIMIT.max }))
    for (const key of data) {
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
