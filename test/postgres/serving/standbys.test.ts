/** What may happen to standbys meanwhile is in the soak. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Refused } from '../../../src/roster/errors.ts';
import type { ApiKeyId, OrganizationId } from '../../../src/roster/identifier.ts';
import type { StoreReader } from '../../../src/roster/roster.ts';
import { databaseOf, pauseReplay, resumeReplay, startReplication } from '../../support/replication.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { atEndOf } from '../../support/scope.ts';
import { numberedKey, numberedKeys } from '../../support/seeded-service.ts';
import { storeAt } from '../../support/store-at.ts';
import { until } from '../../support/until.ts';

const FIRST_PAGE = { filter: {}, cursor: null, limit: 20 };
const MAX_LAG_SECONDS = 1;

test('pages from a standby have each key that was acknowledged longer ago than the max lag, though it shows nothing new', async t => {
  const { primary, standbys } = await startReplication(t, 1);
  const [standby] = standbys;
  assert.ok(standby);
  const writer = await storeAt(databaseOf(primary)).openWriter();
  atEndOf(t, () => writer.close());
  const { id } = await createOrganization(writer);
  await importKeys(writer, id, numberedKeys(3));
  const reader = await storeAt(databaseOf(primary)).openReader({
    adminKeyCacheSeconds: 0,
    pageCacheBytes: 0,
    standbys: { urls: [databaseOf(standby)], maxLagSeconds: MAX_LAG_SECONDS },
  });
  atEndOf(t, () => reader.close());
  const name = `127.0.0.1:${standby.port}`;
  const standbyIsUsed = async () => (await placeOf(reader, id)) === name;
  await until('the standby is used', standbyIsUsed);

  await pauseReplay(standby);
  const key = { ...numberedKey(0), id: 'added' as ApiKeyId };
  await importKeys(writer, id, [key]);
  await setTimeout(MAX_LAG_SECONDS * 1_000 + 1);
  assert.ok((await listedIds(reader, id)).includes(key.id));
  const behind = `standby ${name}: is behind by more than the max lag: its pages are read from the primary`;
  await until('it is told', async () => (await reader.checkReadiness()).join() === behind);

  await resumeReplay(standby);
  await until('the standby is used again', standbyIsUsed);
  assert.ok((await listedIds(reader, id)).includes(key.id));
});

describe('standbys are refused', () => {
  for (const [what, url, message] of [
    ['has several hosts', 'postgres://one,two/keyroster', /^--read-from: name one host in each URL$/],
    ['is malformed', 'postgres://one/keyroster?sslmode=full', /^--read-from: sslmode of the URL: must be/],
  ] as const)
    test(`where a URL ${what}`, async () => {
      const standbys = { urls: [url], maxLagSeconds: MAX_LAG_SECONDS };
      await assert.rejects(
        storeAt('postgres://127.0.0.1/keyroster').openReader({
          adminKeyCacheSeconds: 0,
          pageCacheBytes: 0,
          standbys,
        }),
        (error: unknown) => error instanceof Refused && message.test(error.message),
      );
    });
});

/** Reads a page, and tells where it came from. */
async function placeOf(reader: StoreReader, organization: OrganizationId): Promise<string | undefined> {
  const pages = () => reader.readPlaces?.().map(({ pages }) => pages) ?? [];
  const before = pages();
  await reader.listApiKeys(organization, FIRST_PAGE);
  const place = pages().findIndex((count, index) => count > (before[index] as number));
  return reader.readPlaces?.()[place]?.name;
}

async function listedIds(reader: StoreReader, organization: OrganizationId): Promise<string[]> {
  const page = await reader.listApiKeys(organization, FIRST_PAGE);
  return JSON.parse(`[${page?.records}]`).map(({ id }: { id: string }) => id);
}
