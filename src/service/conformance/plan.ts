/** What a check does with a store: the keys that it has, and the requests and changes in turn. */

import { inspect, isDeepStrictEqual } from 'node:util';
import type { FilterName, FilterValue } from '../../shared/record/filters.ts';
import type { ApiKeyId, CreatorId, OrganizationId, WorkspaceId } from '../../shared/record/identifier.ts';
import { LIMIT, type ListQuery } from '../../shared/record/list-query.ts';
import { STATUSES } from '../../shared/record/status.ts';
import type { ApiKey } from '../roster/api-key.ts';
import { CREATORS, contentOf, keyMaker, type Pick, seededPick, timeOf, WORKSPACES } from './content.ts';
import { type Content, modelPage, type Question } from './model.ts';
import type { Part, Rule } from './rules.ts';

/** Requests that are made at the same time, or a key that is stored. */
export type Step = readonly Question[] | { readonly organization: OrganizationId; readonly put: ApiKey };

/** The content that is drawn, and the steps over what a store has kept of it. */
export function planOf(rule: Rule, seed: number) {
  const pick = seededPick(seed);
  const keyOf = keyMaker(rule, pick);
  const stepsOver = (content: Content) =>
    [...content].flatMap(([organization, keys], number): Step[] => {
      const put = rule.asked === 'again' && changed(keys, keyOf(), number);
      const others = [...content.values()].flat().filter(key => !keys.includes(key));
      const members = membersOf(rule, put ? [...keys, put] : keys, others);
      const queries = drawQueries(rule, keys, members, pick);
      const asked = queries.map(query => ({ organization, query }));
      if (rule.asked === 'at once') return asked.flatMap(each => pairsOf(each, content, members, pick));
      const alone = asked.map(question => [question]);
      // In the opposite order then: a store may take a snapshot with the page that has no cursor, for those that have one.
      return put ? [...alone, { organization, put }, ...alone.toReversed()] : alone;
    });
  return { content: contentOf(rule, keyOf), stepsOver };
}

/** An organization's first key, or one that was changed or added where a reader's cursor is. */
function changed(keys: readonly ApiKey[], added: ApiKey, number: number): ApiKey {
  const key = keys.find(({ status }) => status !== 'archived') ?? keys[0];
  if (!key) return added;
  const { createdAt } = key;
  const changes: readonly ApiKey[] = [
    { ...key, name: 'another name' },
    { ...key, status: 'archived' },
    { ...key, workspaceId: WORKSPACES.find(id => id !== key.workspaceId) ?? null },
    { ...added, createdAt, id: `${key.id}z` as ApiKeyId },
    { ...added, createdAt, id: `key_-${number}` as ApiKeyId },
    { ...added, createdAt: (createdAt + 10_000_000n) as ApiKey['createdAt'] },
  ];
  return changes[number % changes.length] as ApiKey;
}

/** What two requests can differ in, with values: those of keys, and some that no key has. */
type Member = readonly [part: Part, name: string, values: readonly unknown[]];

function membersOf({ ids, parts }: Rule, keys: readonly ApiKey[], others: readonly ApiKey[]): Member[] {
  const times = keys.slice(0, 9).flatMap(({ createdAt }) => [createdAt, createdAt + 1n]);
  const bounds = [0n, timeOf('1905-01-01'), timeOf('2301-01-01'), ...times];
  const known = [...keys, ...others.slice(0, 4)].map(({ id }) => id);
  const workspaces = keys.flatMap(key => key.workspaceId ?? []);
  const creators = keys.map(key => key.createdBy.id);
  const scope = {
    workspaceId: [...new Set([...(ids ?? ['wrkspc_a', 'wrkspc_b', 'none']), ...workspaces])] as WorkspaceId[],
    creatorId: [...new Set([...(ids ?? [...CREATORS, 'none']), ...creators])] as CreatorId[],
  };
  type FilterValues = { readonly [Name in FilterName]: readonly FilterValue<Name>[] };
  const members = {
    cursor: {
      id: [...new Set([...(ids ?? []), ...known, 'key_none'])],
      direction: ['after', 'before'],
    },
    filter: { status: STATUSES, ...scope } satisfies FilterValues,
    ...{ created: { from: bounds, before: bounds }, scope },
  } satisfies Record<Part, object>;
  const asked = parts ?? (ids ? (['cursor', 'filter'] as const) : []);
  return asked.flatMap(part => Object.entries(members[part]).map(each => [part, ...each] as const));
}

function withMember(query: ListQuery, [part, name, values]: Member, pick: Pick): ListQuery {
  if (name === 'direction' && !query.cursor) return query;
  const given = part === 'cursor' ? { direction: pick(['after', 'before']), ...query.cursor } : query[part];
  return { ...query, [part]: { ...given, [name]: pick(values) } };
}

/** Those with the fewest members first. */
function drawQueries(rule: Rule, keys: readonly ApiKey[], members: Member[], pick: Pick): ListQuery[] {
  const found = new Map<string, ListQuery>();
  const all: ListQuery = { limit: Number.POSITIVE_INFINITY, cursor: null, filter: {} };
  const cursors = rule.cursors ?? (rule.ids && 'any');
  const draw = (some: readonly Member[]) => {
    const query = some.reduce((asked, member) => withMember(asked, member, pick), all);
    const page = modelPage(keys, query);
    if (cursors !== 'any' && (page === null) !== (cursors === 'unknown')) return;
    const count = page?.keys.length ?? 0;
    const limits = [count - 1, count, count + 1, LIMIT.min, 2, LIMIT.default, LIMIT.max];
    const limit = pick(limits.filter(each => each >= LIMIT.min && each <= LIMIT.max));
    found.set(inspect({ ...query, limit }), { ...query, limit });
  };
  for (let drawn = 0; drawn < (keys.length > 0 ? 20 : 5); drawn++) {
    draw([]);
    // Each value once, where there are no more.
    for (const [part, name, values] of members) draw([[part, name, [values[drawn] ?? pick(values)]]]);
    for (const _ of members) draw(members.filter(() => pick([true, false, false])));
  }
  return [...found].toSorted(([a], [b]) => a.length - b.length).map(([, query]) => query);
}

/** The request with others that differ in one member, and have another page. */
function pairsOf(question: Question, content: Content, members: readonly Member[], pick: Pick): Step[] {
  const { organization, query } = question;
  const queries = members.map(member => withMember(query, member, pick));
  queries.push({ ...query, limit: (query.limit % 3) + 1 });
  const organizations = [...content.keys(), 'org_none' as OrganizationId];
  const elsewhere = organizations.map(other => ({ organization: other, query }));
  const others = [...elsewhere, ...queries.map(other => ({ organization, query: other }))];
  const pageOf = (asked: Question) => modelPage(content.get(asked.organization) ?? [], asked.query);
  return others
    .filter(other => !isDeepStrictEqual(pageOf(other), pageOf(question)))
    .map(other => [question, other]);
}
