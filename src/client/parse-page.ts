import type { Answer } from './answer.ts';
import { KeyrosterError } from './errors.ts';
import type { ApiKeyList } from './openapi.ts';
import type { ListParameters } from './parameters.ts';

/**
 * Checks what a walk relies on. If the service, or a proxy before it, answers otherwise, the walk ends with an error
 * instead of leaving keys out. The other fields of a record aren't checked.
 */
export function parsePage({ body, status, requestId }: Answer, parameters: ListParameters): ApiKeyList {
  const problem = problemOf(body, parameters);
  if (problem !== undefined) {
    const message = `the answer is not a page of API keys: ${problem}`;
    throw new KeyrosterError({ type: 'unexpected_answer_error', message, status, requestId });
  }
  return body as ApiKeyList;
}

function problemOf(body: unknown, { limit, after_id, before_id }: ListParameters): string | undefined {
  if (!isObject(body)) return 'it must be an object';
  const { data, first_id, last_id, has_more } = body;
  if (!Array.isArray(data)) return 'data must be an array';
  const ids = data.map(record => (isObject(record) ? record.id : undefined));
  if (!ids.every(id => typeof id === 'string')) return 'every record must have an id';
  if (typeof has_more !== 'boolean') return 'has_more must be true or false';
  if (first_id !== (ids.at(0) ?? null)) return "first_id must be the first record's";
  if (last_id !== (ids.at(-1) ?? null)) return "last_id must be the last record's";
  if (has_more && ids.length === 0) return 'has_more is true, but there is no record to continue from';
  if (limit !== undefined && ids.length > limit) return 'it has more records than were asked for';
  if (new Set(ids).size < ids.length) return 'it has a duplicate record';
  const cursor = after_id ?? before_id;
  if (cursor !== undefined && ids.includes(cursor)) return 'it has the record that the cursor names';
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
