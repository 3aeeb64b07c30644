/** The checks of IDs that a database, a search index or a language may take for the same, and of names that they may alter. */

import type { ApiKeyId, CreatorId, OrganizationId, WorkspaceId } from '../../shared/record/identifier.ts';
import { LIMIT } from '../../shared/record/list-query.ts';
import type { ApiKey } from '../roster/api-key.ts';
import { cursorsAt, type PageCheck, query } from './page-checks.ts';
import { contentOf, key } from './rosters.ts';

interface Lookalikes {
  readonly name: string;
  /** The first three are keys of the first organization, the fourth is one of the second, and no key has any other. */
  readonly ids: readonly string[];
  readonly likelyCause: string;
}

const LONG = 'k'.repeat(127);

const lookalikes: readonly Lookalikes[] = [
  {
    name: 'IDs that differ only by case are different',
    ids: ['abc', 'abC', 'aBc', 'Abc', 'ABC'],
    likelyCause: 'IDs are compared without regard to case: use a binary collation',
  },
  {
    name: 'an "_" in an ID stands for itself',
    ids: ['a', 'a_a', 'axa', 'b', 'a_b', '_', '_x_'],
    likelyCause: 'IDs are compared by LIKE (use =), or two IDs are joined by "_" into one key',
  },
  {
    name: 'IDs that differ only by "-" and "_" are different',
    ids: ['a', 'a-a', 'a_a', 'b', 'a-b', 'aa'],
    likelyCause:
      'a collation or an index skips punctuation (compare bytes), or two IDs are joined by "-" into one key',
  },
  {
    name: 'an ID that is the beginning, the end or a part of another is different',
    ids: ['aa', 'aab', 'aabb', 'b', 'bb', 'a'],
    likelyCause:
      'IDs are compared by a part of them (use =), or two IDs are joined into one key without a separator',
  },
  {
    name: 'IDs that are the same number are different',
    ids: ['1', '01', '1e0', '1_', '001', '0x1'],
    likelyCause: 'IDs are compared as numbers: keep them as text',
  },
  {
    name: 'IDs of 128 characters that differ only by the first or the last are different',
    ids: [`${LONG}a`, `a${LONG}`, `${LONG}b`, `b${LONG}`, `${LONG}c`, `c${LONG}`, LONG],
    likelyCause: 'IDs are cut: they have up to 128 characters',
  },
  {
    name: 'IDs such as null, default and __proto__ are IDs like any other',
    ids: ['null', '__proto__', 'constructor', 'default', 'undefined', 'none', 'toString'],
    likelyCause:
      'a text stands for the default workspace (use null), or an object has IDs as its keys (use a Map)',
  },
];

export const lookalikeChecks: readonly PageCheck[] = lookalikes.map(({ ids, ...check }) => ({
  ...check,
  content: new Map(
    ids.map((organization, number) => {
      const [from, to] = [[0, 3] as const, [3, 4] as const][number] ?? [0, 0];
      return [organization as OrganizationId, ids.slice(from, to).map(keyOfOneId)];
    }),
  ),
  queries: keys => [
    query(LIMIT.max),
    ...(keys.length === 0 ? [] : ids).flatMap(id => [
      query(LIMIT.default, null, { workspaceId: id as WorkspaceId }),
      query(LIMIT.default, null, { creatorId: id as CreatorId }),
      ...cursorsAt(id).map(cursor => query(LIMIT.default, cursor)),
    ]),
  ],
}));

/** Its creator has the same ID, and its workspace, except that the third key is in the default workspace. */
function keyOfOneId(id: string, number: number): ApiKey {
  const createdBy = { id: id as CreatorId, type: 'user' as const };
  const workspaceId = number === 2 ? null : (id as WorkspaceId);
  return { ...key('', { at: number >> 1, createdBy, workspaceId }), id: id as ApiKeyId };
}

const names = ['', ' ', ' a ', 'A', 'a\r\n\tb', "100%_\\'", 'e\u0301', '\u00e9', '\ufb01\u200b', '\u{1f511}'];

/** Smallest first; the last have as many characters as a name may have. */
export const nameCheck: PageCheck = {
  name: 'a name comes back as it was stored, up to 1,000 characters of any kind',
  content: contentOf(
    [...names, 'n'.repeat(1_000), '\u{1f511}'.repeat(1_000)].map(name => [key('named', { name })]),
  ),
  queries: () => [query(LIMIT.max)],
  likelyCause: 'the column or its driver alters text: use one for 1,000 characters of UTF-8, without padding',
};
