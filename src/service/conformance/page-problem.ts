/** Why a page isn't the one that the contract asks for: the first of these rules that it breaks. */
import { isDeepStrictEqual } from 'node:util';
import { RECORD_FIELDS } from '../../shared/record/api-key-record.ts';
import { filters } from '../../shared/record/filters.ts';
import type { OrganizationId } from '../../shared/record/identifier.ts';
import type { ListQuery } from '../../shared/record/list-query.ts';
import { type ApiKey, recordOf } from '../roster/api-key.ts';
import { type Page, type PageItem, requiredOfPage } from '../roster/page.ts';
import { failedFilters } from '../roster/visible.ts';
import { isBehind, type ModelPage, modelPage, newestFirst } from './model.ts';
import type { Content } from './store-under-test.ts';

/** A page that is asked for. */
export interface Question {
  readonly organization: OrganizationId;
  readonly query: ListQuery;
}

/** A sentence that says what is wrong with the answer; `null` when it is right. */
export function pageProblem(content: Content, question: Question, answer: Page | null): string | null {
  const { query } = question;
  const roster = content.get(question.organization) ?? [];
  const expected = modelPage(roster, query);
  const cursor = query.cursor && `the cursor ${query.cursor.id}`;
  const isOutside = roster.some(({ id }) => id === query.cursor?.id);
  const hidden = isOutside ? 'a key outside of the scope' : foreign(content, query.cursor?.id);
  if (!expected && answer) return `${cursor} is ${hidden ?? 'unknown'}: return null, as for an unknown one`;
  const required = requiredOfPage(answer, query);
  if (required !== null) return `listApiKeys must return ${required}`;
  if (!expected) return null;
  if (!answer)
    return `${cursor} is a key of this organization: return the page, also where it doesn't pass the filter or the times`;
  const listed: ApiKey[] = [];
  for (const { id } of answer.items) {
    const key = roster.find(each => each.id === id);
    if (!key) return `${id} must not be listed: it is ${foreign(content, id) ?? 'no key of the store'}`;
    listed.push(key);
  }
  return (
    wrongProblem(roster, query, listed) ??
    orderProblem(listed) ??
    missingProblem(query, expected, listed) ??
    hasMoreProblem(expected, answer.hasMore) ??
    recordProblem(expected.keys, answer.items)
  );
}

/** Whose key another organization has. */
function foreign(content: Content, id: string | undefined): string | undefined {
  const [owner] = [...content].find(([, keys]) => keys.some(key => key.id === id)) ?? [];
  return owner && `a key of another organization, ${owner}`;
}

/** A key that should not be listed, whichever else should be. */
function wrongProblem(
  roster: readonly ApiKey[],
  { cursor, filter }: ListQuery,
  listed: readonly ApiKey[],
): string | null {
  const position = roster.find(key => key.id === cursor?.id);
  for (const key of listed) {
    const [failed] = failedFilters(key, filter);
    if (failed)
      return `${key.id} must not be listed: the filter asks for another ${filters[failed].parameter}`;
    if (position && cursor && !isBehind(key, position, cursor.direction))
      return `${key.id} must not be listed: it isn't ${cursor.direction} the cursor ${cursor.id}, as ${orderOf(key, position)}`;
  }
  return null;
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
  { cursor }: ListQuery,
  { keys }: ModelPage,
  listed: readonly ApiKey[],
): string | null {
  const missing = keys.find(key => !listed.includes(key));
  if (!missing) return null;
  const instead = listed.find(key => !keys.includes(key));
  if (!instead) return `${missing.id} is missing: it is a key of this organization, and it matches`;
  const why =
    cursor?.direction === 'before' ? 'those nearest to the cursor are asked for' : orderOf(missing, instead);
  return `${missing.id} is missing, and ${instead.id} is listed instead: ${why}`;
}

function hasMoreProblem({ next }: ModelPage, hasMore: boolean): string | null {
  if (hasMore === (next !== undefined)) return null;
  return next ? `hasMore must be true: ${next.id} is left` : 'hasMore must be false: no key is left';
}

/** What is wrong with the records of these keys; `null` when each is as it was stored. */
function recordProblem(keys: readonly ApiKey[], items: readonly PageItem[]): string | null {
  for (const [index, key] of keys.entries()) {
    const record: Record<string, unknown> = JSON.parse(String(items[index]?.record));
    const expected: Record<string, unknown> = { ...recordOf(key) };
    for (const field of new Set([...RECORD_FIELDS, ...Object.keys(record)]))
      if (!isDeepStrictEqual(record[field], expected[field])) {
        const [wanted, came] = [shown(expected[field]), shown(record[field])];
        const isMoved = field === 'created_at' && came.slice(17) === wanted.slice(17); // the same seconds
        return `the record of ${key.id} must have ${field} ${wanted}, and it is ${came}${isMoved ? ', as of another time zone' : ''}`;
      }
  }
  return null;
}

/** In ASCII, since some texts that differ look the same. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  const short = text.length > 80 ? `${text.slice(0, 40)}..." (${text.length - 2} characters)` : text;
  return short.replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
