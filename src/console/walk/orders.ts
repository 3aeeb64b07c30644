/** The orders of a list besides that of the service, newest first. What `oldest_by` has is the field whose oldest time comes first. */
import type { ApiKeyRecord } from '../../client/client.ts';
import type { LifecycleField } from '../../shared/record/lifecycle.ts';
import { toldTime } from './cannot-filter.ts';
import type { RosterQuery } from './query.ts';

type Order = { readonly words: string; readonly timeOf: (key: ApiKeyRecord) => number };

const createdAt = ({ created_at }: ApiKeyRecord) => Date.parse(created_at);

/** As the filters have it, one that was never used counts from when it was made. One that never expires comes last. */
const ORDERS: Readonly<Record<string, Order>> = {
  created_at: { words: 'oldest first', timeOf: createdAt },
  last_used_at: {
    words: 'longest unused first',
    timeOf: key => Math.max(toldTime(key, 'last_used_at') ?? 0, createdAt(key)),
  },
  expires_at: {
    words: 'first to expire first',
    timeOf: key => toldTime(key, 'expires_at') ?? Number.POSITIVE_INFINITY,
  },
} satisfies Record<LifecycleField | 'created_at', Order>;

export const orderNames = Object.keys(ORDERS);

/** Such as "longest unused first". */
export function orderText({ oldest_by = '' }: RosterQuery): string {
  return ORDERS[oldest_by]?.words ?? 'newest first';
}

/** Throws `CannotFilter` for a key that doesn't tell the time. */
export function oldestFirst(name: string): (a: ApiKeyRecord, b: ApiKeyRecord) => number {
  const timeOf = ORDERS[name]?.timeOf ?? createdAt;
  return (a, b) => timeOf(a) - timeOf(b) || createdAt(a) - createdAt(b) || (a.id < b.id ? -1 : 1);
}
