/** The rosters that the checks put into a store: small ones first, so that the first that fails is a small counterexample. */

import { CREATOR_TYPES } from '../../shared/record/api-key-record.ts';
import type { ApiKeyId, CreatorId, OrganizationId, WorkspaceId } from '../../shared/record/identifier.ts';
import type { PartialKeyHint } from '../../shared/record/partial-key-hint.ts';
import { STATUSES, type Status } from '../../shared/record/status.ts';
import { parseTimestamp, type Timestamp } from '../../shared/record/timestamp.ts';
import type { ApiKey } from '../roster/api-key.ts';
import type { Content } from './store-under-test.ts';

export const WORKSPACES = ['wrkspc_a', 'wrkspc_b', null] as (WorkspaceId | null)[];
export const CREATORS = ['user_a', 'user_b'] as CreatorId[];
const START = parseTimestamp('2024-10-30T23:58:27.427700Z') as Timestamp;

/** A key whose fields are the plainest, except for these. `at`: its creation time, in microseconds since the first. */
export function key(id: string, { at = 0, ...fields }: { at?: number } & Partial<ApiKey> = {}): ApiKey {
  return {
    id: `key_${id}` as ApiKeyId,
    name: id,
    createdAt: (START + BigInt(at)) as Timestamp,
    createdBy: { id: 'user_a' as CreatorId, type: 'user' },
    partialKeyHint: hint(0),
    status: 'active',
    workspaceId: null,
    ...fields,
  };
}

export const hint = (number: number) =>
  `sk-ven-api03-R2D...${String(number).padStart(4, '0')}` as PartialKeyHint;

/** Each roster as an organization of its own. The IDs of its keys get its number: no two keys of a store have the same, or the same hint. */
export function contentOf(rosters: readonly (readonly ApiKey[])[]): Content {
  let count = 0;
  return new Map(
    rosters.map((keys, number) => [
      `org_${number}` as OrganizationId,
      keys.map(each => ({ ...each, id: `${each.id}${number}` as ApiKeyId, partialKeyHint: hint(count++) })),
    ]),
  );
}

/** No keys, the first of them, the first two, … */
const growing = (keys: readonly ApiKey[]) => [0, ...keys.keys()].map((_, count) => keys.slice(0, count));

/** Every field has every kind of value. */
export const variedRecords = growing([
  key('a'),
  key('b', { name: 'A "quoted" name, 名前 🔑 \\ \n' }),
  ...STATUSES.map((status, number) => key(`c${number}`, { status })),
  ...CREATOR_TYPES.map(type => key(type.slice(0, 1), { createdBy: { id: 'user_b' as CreatorId, type } })),
  ...WORKSPACES.map((workspaceId, number) => key(`w${number}`, { workspaceId })),
]);

/** The later a key was created, the lesser its ID. The times differ by a microsecond, a millisecond, a second, a year. */
export const distinctTimes = growing(
  [0, 1, 2, 1_000, 1_001, 1_000_000, 31_536_000_000_000].map((at, number) =>
    key('zyxwvut'.charAt(number), { at }),
  ),
);

/** All were created in the same microsecond. The IDs have another order in a language, and as numbers. */
export const sameTime = growing(['a', 'B', 'c', '9', '_', '10', '-', 'D'].map(id => key(id)));

/** Two or three keys have the same time. */
export const someTies = growing(
  ['a', 'B', 'c', 'D', 'e', 'f', 'g'].map((id, at) => key(id, { at: at >> 1 })),
);

/** Keys of every status, workspace and creator, and of every combination of them. */
export const everyCombination = (() => {
  const fields = STATUSES.flatMap(status =>
    CREATORS.flatMap(id =>
      WORKSPACES.map(workspaceId => ({ status, workspaceId, createdBy: { id, type: 'user' as const } })),
    ),
  );
  // Seven steps further, nearly everything is another: so a few keys differ already.
  const mixed = fields.map((_, number) => fields[(number * 7) % fields.length]);
  const keys = mixed.map((each, number) =>
    key(String.fromCharCode(97 + number), { at: number >> 1, ...each }),
  );
  return [0, 1, 2, 3, 6, keys.length].map(count => keys.slice(0, count));
})();

const [common, rare] = WORKSPACES.slice(0, 2).map((workspaceId, at) => ({
  ...{ workspaceId, status: STATUSES[2 * at] as Status },
  createdBy: { id: CREATORS[at] as CreatorId, type: 'user' as const },
}));

/** As many as the largest page has, and one more. The oldest 151 have the same time; the oldest and the newest pass other filters. */
export const largestPage = [
  Array.from({ length: 1_001 }, (_, number) =>
    key(`k${number}_`, { at: Math.max(150, number), ...(number % 1_000 === 0 ? rare : common) }),
  ),
];

/** Any content: times, workspaces and creators are shared by many keys. */
export function anyRosters(random: (below: number) => number): ApiKey[][] {
  const pick = <T>(values: readonly T[]) => values[random(values.length)] as T;
  return Array.from({ length: 24 }, (_, number) =>
    Array.from({ length: number }, (_, each) =>
      key(`${pick([...'aBcDeF_-09'])}${each}_`, {
        at: random(4) * pick([1, 1, 1_000]),
        status: pick(STATUSES),
        workspaceId: pick(WORKSPACES),
        createdBy: { id: pick(CREATORS), type: pick(CREATOR_TYPES) },
      }),
    ),
  );
}
