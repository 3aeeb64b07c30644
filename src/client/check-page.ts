import type { Answer } from './answer.ts';
import { KeyrosterError } from './errors.ts';
import type { ApiKeyList } from './openapi.ts';
import type { WalkOrder } from './order.ts';

/**
 * Checks what a walk relies on, which is what every service of the operation has. If the service, or a proxy before it, answers
 * otherwise, the walk ends with an error instead of leaving keys out. Of a record only `id` has to be there.
 *
 * @param order of the walk that the page is of: records that came before are left out.
 */
export function checkedPage({ body, status, requestId }: Answer, order: WalkOrder): ApiKeyList {
  try {
    const page = requirePage(body);
    const data = order.newOf(page.data);
    must(data !== null, 'its records do not go on in the order of those before');
    must(!page.has_more || page.data.length > 0, 'has_more is true, but there is no record to continue from');
    must(!page.has_more || data.length > 0, 'all of its records came before, so there is no end');
    return { ...page, data };
  } catch (error) {
    if (!(error instanceof NotAPage)) throw error;
    const message = `the answer is not a page of API keys: ${error.message}`;
    throw new KeyrosterError({ type: 'unexpected_answer_error', message, status, requestId });
  }
}

class NotAPage extends Error {}

function must(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new NotAPage(rule);
}

function requirePage(body: unknown): ApiKeyList {
  must(isObject(body), 'it must be an object');
  const { data, has_more } = body;
  must(Array.isArray(data), 'data must be an array');
  for (const record of data)
    must(
      isObject(record) && typeof record.id === 'string' && record.id !== '',
      'every record must have an id',
    );
  must(typeof has_more === 'boolean', 'has_more must be true or false');
  const [first_id, last_id] = [data.at(0)?.id ?? null, data.at(-1)?.id ?? null];
  must((body.first_id || first_id) === first_id, "first_id must be the first record's");
  must((body.last_id || last_id) === last_id, "last_id must be the last record's");
  return { data, first_id, last_id, has_more };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
