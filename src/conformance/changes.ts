/** What is changed in a roster while it is walked. */
import type { ApiKey } from '../roster/api-key.ts';
import type { ApiKeyId } from '../roster/identifier.ts';
import { key } from './rosters.ts';

/** Given the key that is the next cursor: the key to be stored. */
export const changes: Readonly<Record<string, (at: ApiKey, number: number) => ApiKey>> = {
  'the cursor is renamed': at => ({ ...at, name: `${at.name} renamed` }),
  'the cursor is archived': at => ({ ...at, status: 'archived' }),
  'the cursor moves to another workspace': at => ({
    ...at,
    workspaceId: 'wrkspc_b' as ApiKey['workspaceId'],
  }),
  'a key is added right before the cursor': (at, number) => beside(at, `${at.id}z${number}`),
  'a key is added right after the cursor': (at, number) =>
    beside(at, `${at.id.slice(0, 4)}-${at.id.slice(4)}${number}`),
  'a newest key is added': (at, number) => key(`new${number}_${at.id.slice(4)}`, { at: 1_000_000 + number }),
};

/** A key that was created in the same microsecond. */
const beside = (at: ApiKey, id: string): ApiKey => ({
  ...key(''),
  id: id as ApiKeyId,
  name: 'added',
  createdAt: at.createdAt,
});
