import type { Answer } from './answer.ts';
import { KeyrosterError } from './errors.ts';
import type { ApiKeyList } from './openapi.ts';
import { isOlder, type Span, spanOf } from './order.ts';
import type { ListParameters } from './parameters.ts';

/**
 * Checks what a walk relies on. If the service, or a proxy before it, answers otherwise, the walk ends with an error
 * instead of leaving keys out. Of a record's fields only `id` and `created_at` are checked.
 */
export function parsePage({ body, status, requestId }: Answer, parameters: ListParameters): ApiKeyList {
  const problem = problemOf(body, parameters);
  if (problem !== undefined) throw notAPage(problem, status, requestId);
  return body as ApiKeyList;
}

function notAPage(problem: string, status: number | null, requestId: string | null): KeyrosterError {
  const message = `the answer is not a page of API keys: ${problem}`;
  return new KeyrosterError({ type: 'unexpected_answer_error', message, status, requestId });
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
  if (limit !== undefined && ids.length > limit) return 'it has more records than the limit';
  if (new Set(ids).size < ids.length) return 'it has a duplicate record';
  const cursor = after_id ?? before_id;
  if (cursor !== undefined && ids.includes(cursor)) return 'it has the record that the cursor names';
  if (spanOf(data) === 'out of order') return 'its records are not newest first';
  return undefined;
}

/**
 * Checks that a page continues strictly after the previous one, in the direction of the walk. A walk over a service that
 * repeats its pages would never end.
 */
export function checkContinues(
  { data, has_more, requestId }: ApiKeyList & { readonly requestId: string | null },
  from: ApiKeyList,
  backward: boolean,
): void {
  const [span, before] = [spanOf(data), spanOf(from.data)] as (Span | undefined)[];
  if (!span && has_more)
    throw notAPage('no created_at of its records is a time to continue from', 200, requestId);
  if (!span || !before) return;
  const continues = backward ? isOlder(before.newest, span.oldest) : isOlder(span.newest, before.oldest);
  if (!continues) throw notAPage('it does not continue after the previous page', 200, requestId);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
