/** The checks of IDs that a database, a search index or a language may take for the same, and of names that they may alter. */

import { CREATOR_TYPES } from '../../shared/record/api-key-record.ts';
import type { ApiKeyId, CreatorId, OrganizationId, WorkspaceId } from '../../shared/record/identifier.ts';
import { LIMIT } from '../../shared/record/list-query.ts';
import type { ApiKey } from '../roster/api-key.ts';
import { cursorsAt, type PageCheck, query } from './page-checks.ts';
import { contentOf, hint, key } from './rosters.ts';

const LONG = 'k'.repeat(127);

/** The first three IDs are keys of the first organization, the fourth is one of the second, and no key has any other. */
const lookalikes = {
  'IDs that differ only by case are different': {
    ids: ['abc', 'abC', 'aBc', 'Abc', 'ABC'],
    likelyCause: 'IDs are compared without regard to case: use a binary collation',
  },
  'an "_" in an ID stands for itself': {
    ids: ['a', 'a_a', 'axa', 'b', 'a_b', '_', '_x_'],
    likelyCause: 'IDs are compared by LIKE (use =), or two IDs are joined by "_" to one key',
  },
  'IDs that differ only by "-" and "_" are different': {
    ids: ['a', 'a-a', 'a_a', 'b', 'a-b', 'aa'],
    likelyCause: 'a collation skips punctuation (use a binary one), or two IDs are joined by "-" to one key',
  },
  'an ID that is the beginning, the end or a part of another is different': {
    ids: ['aa', 'aab', 'aabb', 'b', 'bb', 'a'],
    likelyCause: 'a part of an ID is compared, as by LIKE (use =), or two IDs are joined to one key',
  },
  'IDs that are the same number are different': {
    ids: ['1', '01', '1e0', '1_', '001', '0x1'],
    likelyCause: 'IDs are compared as numbers: keep them as text',
  },
  'IDs of 19 digits that differ only by the last are different': {
    ids: ['1', '2', '3', '4', '5', '6'].map(last => `100000000000000000${last}`),
    likelyCause: 'IDs become numbers of 53 bits: keep them as text',
  },
  'IDs of 128 characters that differ only by the first or the last are different': {
    ids: [`${LONG}a`, `a${LONG}`, `${LONG}b`, `b${LONG}`, `${LONG}c`, `c${LONG}`, LONG],
    likelyCause: 'IDs are cut: they have up to 128 characters',
  },
  'IDs such as null, default and __proto__ are IDs like any other': {
    ids: ['null', '__proto__', 'constructor', 'default', 'undefined', 'none', 'toString'],
    likelyCause: 'a text stands for the default workspace (use null), or IDs name properties (use a Map)',
  },
};

const SHORT = ['', ' ', 'A', ' a ', '\u{1f511}', 'e\u0301', '\u00e9', '\ufb01\u200b', 'a\r\n\tb', "100%_\\'"];
const NAMES = [...SHORT, 'n'.repeat(1_000), '\u{1f511}'.repeat(1_000)];

export const lookalikeChecks: readonly PageCheck[] = [
  ...Object.entries(lookalikes).map(([name, { ids, likelyCause }]) => ({
    name,
    content: new Map(
      ids.map((id, at) => [id as OrganizationId, at > 1 ? [] : ids.slice(3 * at, 3 + at).map(keyOfOneId)]),
    ),
    queries: (keys: readonly ApiKey[]) => [
      query(LIMIT.max),
      ...(keys.length === 0 ? [] : ids).flatMap(id => [
        query(LIMIT.default, null, { workspaceId: id as WorkspaceId }),
        query(LIMIT.default, null, { creatorId: id as CreatorId }),
        ...cursorsAt(id).map(cursor => query(LIMIT.default, cursor)),
      ]),
    ],
    likelyCause,
  })),
  {
    name: 'a name comes back as it was stored, up to 1,000 characters of any kind',
    content: contentOf(NAMES.map(name => [key('named', { name })])),
    queries: () => [query(LIMIT.max)],
    likelyCause: 'names are cut, trimmed or normalized: store up to 1,000 characters of UTF-8 as they are',
  },
];

/** Its creator has the same ID, and its workspace, except that the third key is in the default workspace. */
function keyOfOneId(id: string, number: number): ApiKey {
  const at = number >> 1;
  const createdBy = { id: id as CreatorId, type: CREATOR_TYPES[at] ?? 'user' };
  const workspaceId = number === 2 ? null : (id as WorkspaceId);
  return { ...key('', { at, createdBy, workspaceId, partialKeyHint: hint(number) }), id: id as ApiKeyId };
}
