import type { Answer } from './answer.ts';
import { KeyrosterError } from './errors.ts';
import type { ApiKeyList, ApiKeyRecord } from './openapi.ts';
import type { ListParameters } from './parameters.ts';

/** The place of a record in the one order of API keys, newest first (docs/api.md#order-and-pages). */
interface Place {
  readonly milliseconds: number;
  /** With the digits below the millisecond. */
  readonly createdAt: string;
  readonly id: string;
}

/** The first and the last place of a page; `null` when no record has one: its `created_at` is no time. */
export type Span = { readonly newest: Place; readonly oldest: Place } | null;

/**
 * Checks what a walk relies on. If the service, or a proxy before it, answers otherwise, the walk ends with an error
 * instead of leaving keys out. Of a record's fields only `id` and `created_at` are checked.
 *
 * @param before the span of the page that this one has to continue, strictly: else a walk could go in a circle.
 */
export function checkedPage(
  { body, status, requestId }: Answer,
  parameters: ListParameters,
  before: Span | undefined,
): { readonly list: ApiKeyList; readonly span: Span } {
  try {
    const list = requirePage(body, parameters);
    const span = requireOrder(list.data);
    if (span) requireRange(span, parameters);
    if (before !== undefined) requireContinuation(list, span, before, parameters.before_id !== undefined);
    return { list, span };
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

function requirePage(body: unknown, { limit, after_id, before_id }: ListParameters): ApiKeyList {
  must(isObject(body), 'it must be an object');
  const { data, first_id, last_id, has_more } = body;
  must(Array.isArray(data), 'data must be an array');
  const ids = new Set<string>();
  for (const record of data) {
    const id = isObject(record) ? record.id : undefined;
    must(typeof id === 'string', 'every record must have an id');
    ids.add(id);
  }
  must(typeof has_more === 'boolean', 'has_more must be true or false');
  must(first_id === (data.at(0)?.id ?? null), "first_id must be the first record's");
  must(last_id === (data.at(-1)?.id ?? null), "last_id must be the last record's");
  must(!has_more || data.length > 0, 'has_more is true, but there is no record to continue from');
  must(limit === undefined || data.length <= limit, 'it has more records than the limit');
  must(ids.size === data.length, 'it has a duplicate record');
  const cursor = after_id ?? before_id;
  must(cursor === undefined || !ids.has(cursor), 'it has the record that the cursor names');
  return { data, first_id, last_id, has_more } as ApiKeyList;
}

function requireOrder(records: readonly ApiKeyRecord[]): Span {
  let newest: Place | undefined;
  let oldest: Place | undefined;
  for (const record of records) {
    const place = placeOf(record);
    if (place === undefined) continue;
    must(oldest === undefined || isOlder(place, oldest), 'its records are not newest first');
    newest ??= place;
    oldest = place;
  }
  return newest && oldest ? { newest, oldest } : null;
}

function requireRange({ newest, oldest }: NonNullable<Span>, parameters: ListParameters): void {
  const { created_from, created_before } = parameters;
  const from = placeOf({ id: '', created_at: created_from }); // a key of the same time is newer
  const before = placeOf({ id: '', created_at: created_before });
  must(!from || !isOlder(oldest, from), 'it has a record from before created_from');
  must(!before || isOlder(newest, before), 'it has a record that is not from before created_before');
}

function requireContinuation({ has_more }: ApiKeyList, span: Span, before: Span, backward: boolean): void {
  must(span !== null || !has_more, 'no created_at of its records is a time to continue from');
  if (!span || !before) return;
  const continues = backward ? isOlder(before.newest, span.oldest) : isOlder(span.newest, before.oldest);
  must(continues, 'it does not continue after the previous page');
}

/** Strictly: the same record isn't older. */
function isOlder(a: Place, b: Place): boolean {
  if (a.milliseconds !== b.milliseconds) return a.milliseconds < b.milliseconds;
  const [aRest, bRest] = [belowMillisecond(a), belowMillisecond(b)];
  return aRest === bRest ? a.id < b.id : aRest < bRest;
}

function placeOf({ id, created_at }: { id: string; created_at?: unknown }): Place | undefined {
  if (typeof created_at !== 'string') return undefined;
  const milliseconds = Date.parse(created_at);
  return Number.isNaN(milliseconds) ? undefined : { milliseconds, createdAt: created_at, id };
}

function belowMillisecond({ createdAt }: Place): string {
  const [, rest = ''] = /\.\d{3}(\d+)/.exec(createdAt) ?? [];
  return rest.replace(/0+$/, '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
