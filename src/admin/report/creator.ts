import { type ListedKey, UNTOLD } from '../../client/listed-key.ts';

export type Creator = Readonly<Record<'id' | 'type', string>>;

/** Of a key, for a person. */
export const shownCreator = ({ created_by }: ListedKey): Creator => ({
  id: created_by?.id ?? UNTOLD,
  type: created_by?.type ?? UNTOLD,
});

/**
 * By both, which is what makes a creator: an ID may be of a user and of a service account. As one text, since a `Map` compares objects by
 * their identity. In the order of the IDs.
 */
export const creatorText = ({ id, type }: Creator) => JSON.stringify([id, type]);

export function creatorOf(text: string): Creator {
  const [id, type]: [string, string] = JSON.parse(text);
  return { id, type };
}
