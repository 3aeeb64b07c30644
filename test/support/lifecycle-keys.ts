/** Keys that expire and that are used, of which either time may be unknown. */
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import type { DeclaredField } from '../../src/service/roster/declared-fields.ts';
import type { RosterWriter } from '../../src/service/roster/roster.ts';
import { LIFECYCLE_FIELDS } from '../../src/shared/record/lifecycle.ts';
import { formatTimeOrNull, type Timestamp } from '../../src/shared/record/timestamp.ts';
import { now } from './roster.ts';
import { numberedKey } from './seeded-service.ts';

const DAY = 86_400_000_000n;

/** Declares both fields. */
export async function lifecycleKeys(writer: RosterWriter, count: number): Promise<readonly ApiKey[]> {
  const fields: DeclaredField[] = [];
  for (const name of LIFECYCLE_FIELDS)
    fields.push(await writer.addField({ name, type: { kind: 'timestamp' } }));
  return Array.from({ length: count }, (_, number) => {
    const key = numberedKey(number);
    const noon = DAY / 2n;
    const expiresAt = number % 4 === 0 ? null : now() + BigInt((number % 97) - 40) * DAY + noon;
    const usedAt =
      number % 7 === 0 ? null : key.createdAt + (BigInt(number % 5) * (now() - key.createdAt)) / 5n;
    const times = [expiresAt, usedAt] as (Timestamp | null)[];
    return {
      ...key,
      declared: fields.map((field, index) => ({ field, value: formatTimeOrNull(times[index] ?? null) })),
    };
  });
}
