import assert from 'node:assert/strict';
import { before, describe, type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiKey } from '../../../src/roster/api-key.ts';
import { Refused } from '../../../src/roster/errors.ts';
import type { ApiKeyId, OrganizationId } from '../../../src/roster/identifier.ts';
import type { ListQuery } from '../../../src/roster/list-query.ts';
import type { ReadPlace, StoreReader } from '../../../src/roster/roster.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import {
  databaseOf,
  pauseReplay,
  type Replication,
  resumeReplay,
  startReplication,
} from '../../support/replication.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { atEndOf, suiteScope } from '../../support/scope.ts';
import { numberedKey, numberedKeys } from '../../support/seeded-service.ts';
import { storeAt } from '../../support/store-at.ts';
import { until } from '../../support/until.ts';

const FIRST_PAGE: ListQuery = { filter: {}, cursor: null, limit: 20 };

describe('pages that are read from standbys', () => {
  const scope = suiteScope();
  let replication: Replication;
  let organizations: OrganizationId[];
  before(async () => {
    replication = await startReplication(scope, 1);
    organizations = await createOrganizations(databaseOf(replication.primary), 1);
  });

  async function openReader(
    t: TestContext,
    maxLagSeconds: number,
    {
      database = databaseOf(replication.primary),
      standbys = replication.standbys,
    }: { database?: string; standbys?: readonly PostgresServer[] } = {},
  ): Promise<StoreReader> {
    const reader = await storeAt(database).openReader({
      adminKeyCacheSeconds: 0,
      pageCacheBytes: 0,
      standbys: { urls: standbys.map(databaseOf), maxLagSeconds },
    });
    atEndOf(t, () => reader.close());
    return reader;
  }

  /** An organization that this standby has. */
  async function organizationOf(reader: StoreReader, standby: PostgresServer): Promise<OrganizationId> {
    for (const id of organizations) if ((await placeOf(reader, id)) === nameOf(standby)) return id;
    throw new Error('the standby has no organization');
  }

  test('have each key that was acknowledged longer ago than the max lag, though the standbys show nothing new', async t => {
    const reader = await openReader(t, 1);
    for (const standby of replication.standbys) {
      const id = await organizationOf(reader, standby);
      await pauseReplay(standby);
      const key = await addKey(replication.primary, id);
      const acknowledged = performance.now();
      while (performance.now() < acknowledged + 1_001) await wait(50);
      assert.ok((await listedIds(reader, id)).includes(key));
      assert.equal(await placeOf(reader, id), 'primary');
      const behind = `standby ${nameOf(standby)}: is behind by more than the max lag: its pages are read from the primary`;
      assert.deepEqual(await reader.checkReadiness(), [behind]);
      assert.ok((placeAt(reader, standby).lagSeconds as number) > 1);

      await resumeReplay(standby);
      await until('the standby is used again', async () => (await placeOf(reader, id)) === nameOf(standby));
      assert.ok((await listedIds(reader, id)).includes(key));
    }
  });
});

describe('standbys are refused', () => {
  const standbys = { urls: ['postgres://127.0.0.1/keyroster'], maxLagSeconds: 1 };
  const caches = { adminKeyCacheSeconds: 0, pageCacheBytes: 0 };
  const refused = (message: RegExp) => (error: unknown) =>
    error instanceof Refused && message.test(error.message);

  test('where a URL has several hosts, or is malformed', async () => {
    for (const [url, message] of [
      ['postgres://one,two/keyroster', /^--read-from: name one host in each URL$/],
      ['postgres://one/keyroster?sslmode=full', /^--read-from: sslmode of the URL: must be/],
    ] as const)
      await assert.rejects(
        storeAt('postgres://127.0.0.1/keyroster').openReader({
          ...caches,
          standbys: { ...standbys, urls: [url] },
        }),
        refused(message),
      );
  });
});

async function createOrganizations(url: string, count: number): Promise<OrganizationId[]> {
  const writer = await storeAt(url).openWriter();
  const ids: OrganizationId[] = [];
  for (let number = 0; number < count; number++) {
    const { id } = await createOrganization(writer);
    await importKeys(writer, id, numberedKeys(3));
    ids.push(id);
  }
  await writer.close();
  return ids;
}

let added = 0;

/** Adds the organization's newest key. */
async function addKey(primary: PostgresServer, organization: OrganizationId): Promise<ApiKeyId> {
  const key: ApiKey = { ...numberedKey(0), id: `added_${added++}` as ApiKeyId };
  const writer = await storeAt(databaseOf(primary)).openWriter();
  await importKeys(writer, organization, [key]);
  await writer.close();
  return key.id;
}

const nameOf = ({ port }: PostgresServer) => `127.0.0.1:${port}`;

function placeAt(reader: StoreReader, standby: PostgresServer): ReadPlace {
  return reader.readPlaces?.().find(({ name }) => name === nameOf(standby)) as ReadPlace;
}

/** Reads a page, and tells where it came from. */
async function placeOf(reader: StoreReader, organization: OrganizationId): Promise<string> {
  const pages = () => reader.readPlaces?.().map(({ pages }) => pages) ?? [];
  const before = pages();
  await reader.listApiKeys(organization, FIRST_PAGE);
  const place = pages().findIndex((count, index) => count > (before[index] as number));
  return reader.readPlaces?.()[place]?.name ?? '';
}

async function listedIds(reader: StoreReader, organization: OrganizationId): Promise<string[]> {
  const page = await reader.listApiKeys(organization, FIRST_PAGE);
  return JSON.parse(`[${page?.records}]`).map(({ id }: { id: string }) => id);
}
