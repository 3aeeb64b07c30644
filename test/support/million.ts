/** Rosters of a million API keys, for soaks. */
import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { type ApiKey, renderApiKey } from '../../src/service/roster/api-key.ts';
import type { RosterWriter } from '../../src/service/roster/roster.ts';
import type { ApiKeyId, CreatorId, OrganizationId, WorkspaceId } from '../../src/shared/record/identifier.ts';
import type { Timestamp } from '../../src/shared/record/timestamp.ts';
import { now } from './roster.ts';
import { numberedKey } from './seeded-service.ts';

const BATCH = 10_000;
/** A key every two minutes, for almost four years. */
const STEP = 120_000_000n;
const START = now();

export async function importManyKeys(
  writer: RosterWriter,
  organizationId: OrganizationId,
  count: number,
): Promise<void> {
  async function* source() {
    for (const numbers of batches(count))
      yield numbers.map(number => ({ line: number + 1, organizationId, key: keyOf(number) }));
  }
  await writer.importApiKeys(source(), { onRefused: refusal => assert.fail(JSON.stringify(refusal)) });
}

/** Writes a million records as JSON Lines. */
export function saveRecords(path: string, { oldestFirst = false } = {}): void {
  const file = openSync(path, 'w');
  for (const numbers of batches(1_000_000)) {
    const lines = numbers.map(number => renderApiKey(keyOf(oldestFirst ? 999_999 - number : number)));
    writeSync(file, `${lines.join('\n')}\n`);
  }
  closeSync(file);
}

function* batches(count: number): Generator<number[]> {
  for (let first = 0; first < count; first += BATCH)
    yield Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => first + index);
}

/** Of 100,000 creators in 1,000 workspaces. Every tenth key has one of 10,000 names, each other one has a name of its own. */
function keyOf(number: number): ApiKey {
  return numberedKey(number, {
    id: `apikey_01${String(number).padStart(22, 'X')}` as ApiKeyId,
    createdAt: (START - BigInt(number + 1) * STEP) as Timestamp,
    name: number % 10 === 0 ? `Deployment of service ${(number / 10) % 10_000}` : `Developer key ${number}`,
    createdBy: {
      id: `user_${number % 100_000}` as CreatorId,
      type: number % 10 === 3 ? 'service_account' : 'user',
    },
    workspaceId: number % 5 === 0 ? null : (`wrkspc_${number % 1_000}` as WorkspaceId),
  });
}
