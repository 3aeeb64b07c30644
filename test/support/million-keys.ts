/** Rosters of a million API keys, for soaks of the console. */
import assert from 'node:assert/strict';
import type { ApiKey } from '../../src/roster/api-key.ts';
import type { CreatorId, OrganizationId, WorkspaceId } from '../../src/roster/identifier.ts';
import type { RosterWriter } from '../../src/roster/roster.ts';
import type { Timestamp } from '../../src/roster/timestamp.ts';
import { now } from './roster.ts';
import { numberedKey } from './seeded-service.ts';

const BATCH = 10_000;
/** A key every two minutes, for almost four years. */
const STEP = 120_000_000n;

/** As hard to count as a roster may be: every name comes twice, and there are 100,000 creators and 10,000 workspaces. */
export async function importHardKeys(
  writer: RosterWriter,
  organizationId: OrganizationId,
  count: number,
): Promise<void> {
  async function* source() {
    for (let first = 0; first < count; first += BATCH) {
      const length = Math.min(BATCH, count - first);
      yield Array.from({ length }, (_, index) => ({
        line: first + index + 1,
        organizationId,
        key: hardKey(first + index, count),
      }));
    }
  }
  await writer.importApiKeys(source(), { onRefused: refusal => assert.fail(JSON.stringify(refusal)) });
}

const START = now();

function hardKey(number: number, count: number): ApiKey {
  return numberedKey(number, {
    createdAt: (START - BigInt(number + 1) * STEP) as Timestamp,
    name: `Key ${number % (count / 2)} of a service with a name of usual length`,
    createdBy: {
      id: `user_${number % (count / 10)}` as CreatorId,
      type: number % 10 === 3 ? 'service_account' : 'user',
    },
    workspaceId: number % 5 === 0 ? null : (`wrkspc_${number % (count / 100)}` as WorkspaceId),
  });
}
