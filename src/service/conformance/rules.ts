/** What a store has to do: each rule with the keys and the requests that show whether it does. They are drawn. */

import type { ListQuery } from '../../shared/record/list-query.ts';
import { STATUSES } from '../../shared/record/status.ts';
import { CREATORS, type Keys, WORKSPACES } from './content.ts';

export type Part = Exclude<keyof ListQuery, 'limit'>;

export interface Rule extends Keys {
  /** What requests have beside their organization and limit. */
  readonly parts?: readonly Part[];
  /** Cursors that are unknown to the caller, or all; absent: only the others, but with `ids` all. */
  readonly cursors?: 'unknown' | 'any';
  /** At the same time as one that differs in one member, or before and after a change; absent: one after another. */
  readonly asked?: 'at once' | 'again';
  /** What mostly is wrong in a store that fails. */
  readonly likelyCause?: string;
}

const CLOSE_TIMES = [0, 1, 2, 1_000, 1_001, 1_000_000];
const FAR_TIMES = ['1900-01-01', '1969-12-31', '1970-01-01', '2038-01-19', '2107-01-01', '2300-01-01'];

const SHORT = ['', ' ', 'A', ' a ', '\u{1f511}', 'e\u0301', '\u00e9', '\ufb01\u200b', 'a\r\n\tb', "100%_\\'"];
const NAMES = [...SHORT, 'n'.repeat(1_000), '\u{1f511}'.repeat(1_000)];

/** Nearly every key has the second of these values, and none has the third. */
const mostly = <T>(values: readonly T[]) => Array.from({ length: 100 }, (_, at) => values[at && 1] as T);
const ALIKE = {
  time: Array.from({ length: 1_000 }, (_, number) => Math.max(500, number)),
  ...{ status: mostly(STATUSES), workspaceId: mostly(WORKSPACES), creatorId: mostly(CREATORS) },
};

const LONG = 'k'.repeat(254);

export const rules: Readonly<Record<string, Rule>> = {
  'a page has every API key of its organization and of no other, with every field as it was stored': {
    fields: { name: NAMES },
    likelyCause:
      'a name is cut, trimmed or normalized (store up to 1,000 characters of UTF-8 as they are), or a time is of another time zone',
  },
  'the newest key comes first, by all decimals of its time': {
    ...{ fields: { time: CLOSE_TIMES }, parts: ['cursor'] },
  },
  'keys with the same created_at are all listed, by ID, the greatest first': {
    ...{ fields: { time: [0] }, parts: ['cursor'] },
  },
  'a page after or before a cursor has the keys next to it, newest first': { parts: ['cursor'] },
  'every filter is obeyed in both directions, whether or not the cursor passes it': {
    parts: ['cursor', 'filter'],
  },
  'hasMore is exact, also when a filter leaves exactly as many keys as the limit': { parts: ['filter'] },
  'a page can have 1,000 keys, also under a filter and where many have the same time': {
    ...{ fields: ALIKE, sizes: [1_001], parts: ['cursor', 'filter'] },
  },
  'a cursor is unknown that no key has, or only one outside of the scope or of another organization': {
    ...{ parts: ['cursor', 'scope'], cursors: 'unknown' },
    likelyCause:
      'the cursor is looked up among all keys: do it by the organization and the members of the scope',
  },
  'requests under way at once are each answered by their own members': {
    ...{ sizes: [1, 4], parts: ['cursor', 'filter', 'created', 'scope'], asked: 'at once' },
    likelyCause:
      'a member of the request is kept where another request changes it, or requests under way are shared without it',
  },
  'any page of any roster equals that of a model which sorts, filters and slices': {
    ...{ parts: ['cursor', 'filter', 'created', 'scope'], cursors: 'any' },
  },
  'times before 1970 and after 2038 are times like any other': {
    ...{ fields: { time: FAR_TIMES }, parts: ['cursor', 'created'] },
    likelyCause: 'seconds are kept in 32 bits: a TIMESTAMP of MySQL has no other times than 1970 to 2038',
  },
  'created.from is inclusive and created.before exclusive, by the microsecond, whatever the filter and the cursor':
    {
      ...{ fields: { time: CLOSE_TIMES }, parts: ['cursor', 'filter', 'created'], cursors: 'any' },
      likelyCause:
        'times are cut to milliseconds, or compared after the limit, the cursor in them only, or 0n is taken for no time',
    },
  'a key has to pass scope and filter, in both directions, and hasMore is exact': {
    parts: ['cursor', 'filter', 'scope'],
    likelyCause:
      'query.scope, all that the caller may see, is not looked at, or the filter replaces the scope, or the scope the filter',
  },
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
  'IDs that are the same number are different, also beyond 53 bits': {
    ids: ['1', '1000000000000000001', '01', '1e0', '1000000000000000002', '1_', '001', '0x1'],
    likelyCause: 'IDs are compared as numbers: keep them as text',
  },
  'IDs of 255 characters that differ only by the first or the last are different': {
    ids: [`${LONG}a`, `a${LONG}`, `${LONG}b`, `b${LONG}`, `${LONG}c`, `c${LONG}`, LONG],
    likelyCause: 'IDs are cut: they have up to 255 characters',
  },
  'IDs such as null, default and __proto__ are IDs like any other': {
    ids: ['null', '__proto__', 'constructor', 'default', 'undefined', 'none', 'toString'],
    likelyCause: 'a text stands for the default workspace (use null), or IDs name properties (use a Map)',
  },
  'a page that is asked for again has what was changed meanwhile, so a walk misses and repeats no key': {
    ...{ sizes: [0, 3, 3, 3, 3, 3, 3], parts: ['cursor', 'filter', 'scope'] },
    ...{ cursors: 'any', asked: 'again' },
    likelyCause: 'a page or a cursor is kept in a cache, or "change" stored nothing',
  },
};
