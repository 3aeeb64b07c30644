/** Why a page isn't the one that the contract asks for: the first of these rules that it breaks. */
import type { ApiKey } from '../roster/api-key.ts';
import { type FilterName, filters } from '../roster/filters.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import type { ListQuery } from '../roster/list-query.ts';
import type { Page } from '../roster/page.ts';
import { failedFilters, isBehind, type ModelPage, modelPage, newestFirst } from './model.ts';
import { recordProblem } from './record-problem.ts';
import type { Content } from './store-under-test.ts';

/** A page that is asked for. */
export interface Question {
  readonly organization: OrganizationId;
  readonly query: ListQuery;
}

/** A sentence that says what is wrong with the answer; `null` when it is right. */
export function pageProblem(content: Content, question: Question, answer: Page | null): string | null {
  const expected = expectedPage(content, question);
  if (expected === null) return answer === null ? null : acceptedCursor(content, question);
  if (answer === null) return refusedCursor(content, question);
  if (!isPage(answer))
    return 'listApiKeys must return { items, hasMore }, with items as pageItem makes them, or null';
  const { query } = question;
  const roster = keysOf(content, question);
  const listed: ApiKey[] = [];
  for (const { id } of answer.items) {
    const key = roster.find(each => each.id === id);
    if (!key) return strangerProblem(content, id);
    listed.push(key);
  }
  return (
    listingProblem(roster, query, listed) ??
    missingProblem(query, positionOf(roster, query), expected, listed) ??
    hasMoreProblem(query, expected, answer.hasMore) ??
    recordProblem(expected.keys, answer.items)
  );
}

export function expectedPage(content: Content, question: Question): ModelPage | null {
  return modelPage(keysOf(content, question), question.query);
}

function keysOf(content: Content, { organization }: Question): readonly ApiKey[] {
  return content.get(organization) ?? [];
}

function positionOf(roster: readonly ApiKey[], { cursor }: Pick<ListQuery, 'cursor'>): ApiKey | undefined {
  return roster.find(key => key.id === cursor?.id);
}

function ownerOf(content: Content, id: string): OrganizationId | undefined {
  return [...content].find(([, keys]) => keys.some(key => key.id === id))?.[0];
}

function acceptedCursor(content: Content, { query }: Question): string {
  const owner = ownerOf(content, String(query.cursor?.id));
  return owner
    ? `the cursor ${query.cursor?.id} is a key of another organization, ${owner}: return null, as for an unknown one, so ` +
        'that nobody can find out the IDs of other organizations'
    : `the cursor ${query.cursor?.id} is unknown: return null`;
}

function refusedCursor(content: Content, question: Question): string {
  const { cursor, filter } = question.query;
  if (!cursor) return 'null is for a cursor that is unknown, and this query has no cursor';
  const key = positionOf(keysOf(content, question), question.query);
  const [failed] = key ? failedFilters(key, filter) : [];
  const but = failed
    ? `, and need not pass the filter: it is a position, and its ${nameOf(failed)} is another`
    : '';
  return `the cursor ${cursor.id} is a key of this organization${but}: return the page, not null`;
}

function isPage(answer: Page): boolean {
  const { items, hasMore } = answer ?? {};
  return (
    Array.isArray(items) &&
    items.every(item => typeof item?.id === 'string' && typeof item?.record === 'string') &&
    typeof hasMore === 'boolean'
  );
}

function strangerProblem(content: Content, id: string): string {
  const owner = ownerOf(content, id);
  return `${id} must not be listed: ${owner ? `it is a key of another organization, ${owner}` : 'there is no such key'}`;
}

/** What is wrong with the keys that are listed, whichever else should be. */
function listingProblem(
  roster: readonly ApiKey[],
  { limit, cursor, filter }: ListQuery,
  listed: readonly ApiKey[],
): string | null {
  if (listed.length > limit) return `the limit is ${limit}, and ${listed.length} keys are listed`;
  const position = positionOf(roster, { cursor });
  for (const key of listed) {
    const [failed] = failedFilters(key, filter);
    if (failed) return `${key.id} must not be listed: the filter asks for another ${nameOf(failed)}`;
    if (key === position) return `${key.id} must not be listed: it is the cursor itself`;
    if (position && cursor && !isBehind(key, position, cursor.direction))
      return `${key.id} must not be listed: it isn't ${cursor.direction} the cursor ${cursor.id}, as ${orderOf(key, position)}`;
  }
  return orderProblem(listed);
}

/** What is wrong with the order of these keys; a key that is there twice included. */
export function orderProblem(listed: readonly ApiKey[]): string | null {
  for (const [index, key] of listed.entries()) {
    if (listed.indexOf(key) < index) return `${key.id} is listed twice`;
    const previous = listed[index - 1];
    if (previous && newestFirst(previous, key) > 0)
      return `${key.id} must come before ${previous.id}: ${orderOf(key, previous)}`;
  }
  return null;
}

/** Why two keys are in this order. */
function orderOf(a: ApiKey, b: ApiKey): string {
  const [first, second] = [a, b].toSorted(newestFirst) as [ApiKey, ApiKey];
  if (first.createdAt === second.createdAt)
    return `${first.id} and ${second.id} have the same created_at, and then the greater ID comes first, compared as bytes`;
  return `${first.id} was created ${first.createdAt - second.createdAt} µs later than ${second.id}, and the newest comes first`;
}

function missingProblem(
  { cursor, limit }: ListQuery,
  position: ApiKey | undefined,
  { keys }: ModelPage,
  listed: readonly ApiKey[],
): string | null {
  const missing = keys.find(key => !listed.includes(key));
  if (!missing) return null;
  const instead = listed.find(key => !keys.includes(key));
  const known = position ? [position, ...listed] : listed;
  const tied = known.find(key => key.createdAt === missing.createdAt);
  if (tied && instead?.createdAt !== missing.createdAt)
    return `${missing.id} is missing: keys with the same created_at must all be listed, and ${tied.id} has the same`;
  if (!instead)
    return `${missing.id} is missing: it is a key of this organization, it matches, and the limit is ${limit}`;
  const nearest = 'those nearest to it are asked for';
  const why =
    cursor?.direction === 'before' ? `of the keys before the cursor, ${nearest}` : orderOf(missing, instead);
  return `${missing.id} is missing, and ${instead.id} is listed instead: ${why}`;
}

function hasMoreProblem({ limit }: ListQuery, { keys, next }: ModelPage, hasMore: boolean): string | null {
  if (hasMore === (next !== undefined)) return null;
  if (next) return `hasMore must be true: ${next.id} is left`;
  const full = keys.length === limit ? `, although the page has as many as the limit, ${limit}` : '';
  return `hasMore must be false: no key is left${full}`;
}

const nameOf = (filter: FilterName) => filters[filter].parameter;
