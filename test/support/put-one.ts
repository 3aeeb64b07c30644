import assert from 'node:assert/strict';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import type { RosterWriter } from '../../src/service/roster/roster.ts';
import type { FeedLine } from '../../src/service/roster/writes/key-writer.ts';
import type { PutOutcome } from '../../src/service/roster/writes/put-outcome.ts';
import { Refused } from '../../src/shared/record/faults.ts';

/** The outcome of a line that is put by itself. */
export async function putOne(
  writer: RosterWriter,
  { organizationId, key }: FeedLine<ApiKey>,
): Promise<PutOutcome> {
  try {
    const counts = await writer.putApiKeys(organizationId, [key]);
    const results = ['inserted', 'updated', 'unchanged'] as const;
    return { result: results.find(result => counts[result] === 1) ?? assert.fail() };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { faults: error.faults.map(({ field, problem }) => ({ field, problem })) };
  }
}
