/** The one order of API keys, newest first (docs/api.md#order-and-pages): a walk that keeps to it can't go in a circle. */
import type { ApiKeyRecord } from './openapi.ts';

/** The place of a record in the order. */
interface Place {
  readonly milliseconds: number;
  /** The digits below the millisecond. */
  readonly rest: string;
  readonly id: string;
}

/** The first and the last place of a page. */
export interface Span {
  readonly newest: Place;
  readonly oldest: Place;
}

const spans = new WeakMap<readonly ApiKeyRecord[], Span | 'out of order' | undefined>();

/**
 * Records whose `created_at` is no time have no place: whoever reads them refuses them by name. `undefined` when none has
 * a place, and `'out of order'` when two are. It is asked three times of each page of a walk, and finds it once.
 */
export function spanOf(records: readonly ApiKeyRecord[]): Span | 'out of order' | undefined {
  if (!spans.has(records)) spans.set(records, findSpan(records));
  return spans.get(records);
}

function findSpan(records: readonly ApiKeyRecord[]): Span | 'out of order' | undefined {
  const places = records.map(placeOf).filter(place => place !== undefined);
  const inOrder = places.every((place, index) => index === 0 || isOlder(place, places[index - 1] as Place));
  if (!inOrder) return 'out of order';
  const [newest, oldest] = [places.at(0), places.at(-1)];
  return newest && oldest && { newest, oldest };
}

/** Strictly: the same record isn't older. */
export function isOlder(a: Place, b: Place): boolean {
  if (a.milliseconds !== b.milliseconds) return a.milliseconds < b.milliseconds;
  return a.rest === b.rest ? a.id < b.id : a.rest < b.rest;
}

function placeOf({ id, created_at }: ApiKeyRecord): Place | undefined {
  const milliseconds = typeof created_at === 'string' ? Date.parse(created_at) : Number.NaN;
  if (Number.isNaN(milliseconds)) return undefined;
  const [, rest = ''] = /\.\d{3}(\d+)/.exec(created_at) ?? [];
  return { milliseconds, rest: rest.replace(/0+$/, ''), id };
}
