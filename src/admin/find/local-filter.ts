import type { ListedKey } from '../../client/listed-key.ts';
import {
  expiresWithin,
  hasExpired,
  isUnusedFor,
  type LifecycleField,
} from '../../shared/record/lifecycle.ts';
import { tells } from './told.ts';

/** A filter that the operation doesn't have: it is applied to the keys that were read. `undefined`: the key doesn't tell. */
export type LocalFilter<Key extends ListedKey = ListedKey> = (key: Key) => boolean | undefined;

function byTime(field: LifecycleField, passes: LocalFilter): LocalFilter {
  return key => (tells(key, 'status') && tells(key, field) ? passes(key) : undefined);
}

/** Of the status that the service filters by, which is active where nothing else is asked for. */
export const timeFilters = {
  expired: (now: number) => byTime('expires_at', key => hasExpired(key, now)),
  expires_within: (now: number, ms = 0) => byTime('expires_at', key => expiresWithin(key, ms, now)),
  unused_for: (now: number, ms = 0) => byTime('last_used_at', key => isUnusedFor(key, ms, now)),
} as const satisfies Readonly<Record<string, (now: number, ms?: number) => LocalFilter>>;

/** With those that may pass, of which it is told. */
export function passing<Key extends ListedKey>(
  keys: readonly Key[],
  filters: readonly LocalFilter<Key>[],
  whenUntold = () => {},
): readonly Key[] {
  if (filters.length === 0) return keys;
  return keys.filter(key => {
    const verdicts = filters.map(passes => passes(key));
    if (verdicts.includes(false)) return false;
    if (verdicts.includes(undefined)) whenUntold();
    return true;
  });
}
