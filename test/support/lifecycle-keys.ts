/** Keys that expire and that are used, of which either time may be unknown. */
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import type { DeclaredField } from '../../src/service/roster/declared-fields.ts';
import { LIFECYCLE_FIELDS } from '../../src/shared/record/lifecycle.ts';
import { formatTimeOrNull, type Timestamp } from '../../src/shared/record/timestamp.ts';
import { now } from './roster.ts';
import { numberedKey } from './seeded-service.ts';

const DAY = 86_400_000_000n;

/** Both, as a new store numbers them. */
export const lifecycleFields: readonly DeclaredField[] = LIFECYCLE_FIELDS.map((name, index) => ({
  number: index + 1,
  name,
  type: { kind: 'timestamp' },
}));

export const lifecycleKeys = (count: number): readonly ApiKey[] =>
  Array.from({ length: count }, (_, number) => {
    const key = numberedKey(number);
    const expiresAt = number % 4 === 0 ? null : now() + (BigInt((number % 97) - 40) * 2n + 1n) * (DAY / 2n);
    const usedAt =
      number % 7 === 0 ? null : key.createdAt + (BigInt(number % 5) * (now() - key.createdAt)) / 5n;
    const times = [expiresAt, usedAt] as (Timestamp | null)[];
    const declared = lifecycleFields.map((field, index) => ({
      field,
      value: formatTimeOrNull(times[index] ?? null),
    }));
    return { ...key, declared };
  });
