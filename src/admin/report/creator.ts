import type { ApiKeyRecord } from '../../client/client.ts';

export type Creator = Pick<ApiKeyRecord['created_by'], 'id' | 'type'>;

/**
 * By both, which is what makes a creator: an ID may be of a user and of a service account. As one text, since a `Map` compares objects by
 * their identity. In the order of the IDs.
 */
export const creatorText = ({ id, type }: Creator) => JSON.stringify([id, type]);

export function creatorOf(text: string): Creator {
  const [id, type]: [string, string] = JSON.parse(text);
  return { id, type };
}
