/** Rosters of a million API keys, for soaks of the console. */
import assert from 'node:assert/strict';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import type { RosterWriter } from '../../src/service/roster/roster.ts';
import type { CreatorId, OrganizationId, WorkspaceId } from '../../src/shared/record/identifier.ts';
import type { Timestamp } from '../../src/shared/record/timestamp.ts';
import { now } from './roster.ts';
import { numberedKey } from './seeded-service.ts';

const BATCH = 10_000;
/** A key every two minutes, for almost four years. */
const STEP = 120_000_000n;

/** Of 100,000 creators in 1,000 workspaces. Every tenth key has one of 10,000 names, each other one has a name of its own. */
export async function importManyKeys(
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
        key: keyOf(first + index),
      }));
    }
  }
  await writer.importApiKeys(source(), { onRefused: refusal => assert.fail(JSON.stringify(refusal)) });
}

const START = now();

function keyOf(number: number): ApiKey {
  const name =
    number % 10 === 0 ? `Deployment of service ${(number / 10) % 10_000}` : `Developer key ${number}`;
  return numberedKey(number, {
    createdAt: (START - BigInt(number + 1) * STEP) as Timestamp,
    name,
    createdBy: {
      id: `user_${number % 100_000}` as CreatorId,
      type: number % 10 === 3 ? 'service_account' : 'user',
    },
    workspaceId: number % 5 === 0 ? null : (`wrkspc_${number % 1_000}` as WorkspaceId),
  });
}
