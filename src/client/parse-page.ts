import type { Answer } from './answer.ts';
import type { ListQuery } from './api-keys.ts';
import { KeyrosterError } from './errors.ts';
import type { ApiKeyList } from './openapi.ts';

/**
 * Holds an answer to what a walk is built on, so that a service, or something on the way to it, that doesn't keep the
 * contract ends the walk with an error and never leaves a gap in it. The other fields of a record are as they came.
 */
export function parsePage({ body, status, requestId }: Answer, query: ListQuery): ApiKeyList {
  const problem = problemOf(body, query);
  if (problem !== undefined) {
    const message = `the answer is no page of API keys: ${problem}`;
    throw new KeyrosterError({ type: 'unexpected_answer_error', message, status, requestId });
  }
  return body as ApiKeyList;
}

function problemOf(body: unknown, { limit, after_id, before_id }: ListQuery): string | undefined {
  if (!isObject(body)) return 'it must be an object';
  const { data, first_id, last_id, has_more } = body;
  if (!Array.isArray(data)) return 'data must be an array';
  const ids = data.map(record => (isObject(record) ? record.id : undefined));
  if (!ids.every(id => typeof id === 'string')) return 'every record must have an id';
  if (typeof has_more !== 'boolean') return 'has_more must be true or false';
  if (first_id !== (ids.at(0) ?? null)) return "first_id must be the first record's";
  if (last_id !== (ids.at(-1) ?? null)) return "last_id must be the last record's";
  if (has_more && ids.length === 0) return 'has_more is true, but there is no record to go on from';
  if (limit !== undefined && ids.length > limit) return 'it has more records than were asked for';
  if (new Set(ids).size < ids.length) return 'it has a record twice';
  const cursor = after_id ?? before_id;
  if (cursor !== undefined && ids.includes(cursor)) return 'it has the record that the cursor names';
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
