import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { before, describe, type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiKey } from '../../../src/roster/api-key.ts';
import { Refused, StoreUnavailable } from '../../../src/roster/errors.ts';
import type { ApiKeyId, OrganizationId } from '../../../src/roster/identifier.ts';
import type { ListQuery } from '../../../src/roster/list-query.ts';
import type { ReadPlace, StoreReader } from '../../../src/roster/roster.ts';
import { CREATE_TABLE, simpleMapping } from '../../support/adopted/simple-table.ts';
import { skipWithoutCitus } from '../../support/citus.ts';
import { connect } from '../../support/connect.ts';
import { startPooler } from '../../support/pooler.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import {
  databaseOf,
  pauseReplay,
  type Replication,
  resumeReplay,
  startReplication,
} from '../../support/replication.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { atEndOf, type Scope, suiteScope } from '../../support/scope.ts';
import { numberedKey, numberedKeys } from '../../support/seeded-service.ts';
import { startStallingProxy } from '../../support/stalling-proxy.ts';
import { storeAt, TEST_ACTOR } from '../../support/store-at.ts';
import { postgres } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

const FIRST_PAGE: ListQuery = { filter: {}, cursor: null, limit: 20 };
const LONG_SECONDS = 600;

describe('pages that are read from standbys', () => {
  const scope = suiteScope();
  let replication: Replication;
  let organizations: OrganizationId[];
  before(async () => {
    replication = await startReplication(scope, 2);
    organizations = await createOrganizations(databaseOf(replication.primary), 32);
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

  const isUsable = (reader: StoreReader, standby: PostgresServer) =>
    !placeAt(reader, standby).problems.join().includes('its pages are read from the primary');

  test('come from one standby for each organization, and from each standby for some', async t => {
    const reader = await openReader(t, LONG_SECONDS);
    const places = new Set<string>();
    for (const id of organizations) {
      const place = await placeOf(reader, id);
      for (let page = 0; page < 3; page++) assert.equal(await placeOf(reader, id), place);
      places.add(place);
    }
    assert.deepEqual([...places].sort(), replication.standbys.map(nameOf).sort());
    assert.deepEqual(await reader.checkReadiness(), []);
  });

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

  test('come from the primary when only that one knows the cursor', async t => {
    const reader = await openReader(t, LONG_SECONDS);
    const [standby] = replication.standbys as [PostgresServer];
    const id = await organizationOf(reader, standby);
    await pauseReplay(standby);
    atEndOf(t, () => resumeReplay(standby));
    const cursor = await addKey(replication.primary, id);
    const pagesOfStandby = placeAt(reader, standby).pages;
    const page = await reader.listApiKeys(id, { ...FIRST_PAGE, cursor: { direction: 'after', id: cursor } });
    assert.ok(page && page.count >= 3);
    assert.equal(placeAt(reader, standby).pages, pagesOfStandby);
    const unknown = { direction: 'after', id: 'unknown' as ApiKeyId } as const;
    assert.equal(await reader.listApiKeys(id, { ...FIRST_PAGE, cursor: unknown }), null);
    assert.ok(isUsable(reader, standby));
  });

  test('come from the primary when a standby ends its connections, or is killed, and from the standby when it is back', async t => {
    const reader = await openReader(t, LONG_SECONDS);
    const [standby] = replication.standbys as [PostgresServer];
    const id = await organizationOf(reader, standby);
    const pages = { read: 0, stop: false };
    const reading = (async () => {
      for (; !pages.stop; pages.read++) assert.notEqual((await reader.listApiKeys(id, FIRST_PAGE))?.count, 0);
    })();
    const others =
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $$keyroster$$';
    for (let time = 0; time < 3; time++) {
      await runSql(databaseOf(standby), others);
      await until('the standby is used again', () => isUsable(reader, standby));
    }
    await standby.kill('SIGKILL');
    await until('it is told', async () =>
      /^standby 127\.0\.0\.1:\d+: PostgreSQL: .*ECONNREFUSED.*: its pages are read from the primary$/.test(
        (await reader.checkReadiness()).join(),
      ),
    );
    await standby.start();
    await until('the standby is used again', async () => (await placeOf(reader, id)) === nameOf(standby));
    pages.stop = true;
    await reading;
    assert.ok(pages.read > 0);
  });

  test('come from the primary when a standby hangs, or keeps a lock that it has replayed', async t => {
    const [standby] = replication.standbys as [PostgresServer];
    const proxy = await startStallingProxy(standby.port);
    atEndOf(t, () => proxy.close());
    const hanging = at(standby, proxy.port);
    const [id = '' as OrganizationId] = organizations;
    const reader = await openReader(t, LONG_SECONDS, { standbys: [hanging] });
    assert.equal(await placeOf(reader, id), nameOf(hanging));
    proxy.stall('both');
    assert.equal(await placeOf(reader, id), 'primary');
    await until('it is told', () => /: does not answer: /.test(placeAt(reader, hanging).problems.join()));
    proxy.resume();
    await until('the standby is used again', async () => (await placeOf(reader, id)) === nameOf(hanging));

    // It replays a commit later, but what comes before that at once.
    const delay = (time: string) =>
      runSql(databaseOf(standby), `ALTER SYSTEM SET recovery_min_apply_delay = '${time}'`).then(() =>
        runSql(databaseOf(standby), 'SELECT pg_reload_conf()'),
      );
    await delay('1h');
    const lock = 'BEGIN; LOCK TABLE keyroster.api_keys IN ACCESS EXCLUSIVE MODE; COMMIT';
    // More than once, as the standby learns of the delay a little later.
    await until('the lock holds a page up', async () => {
      await runSql(databaseOf(replication.primary), lock);
      return (await placeOf(reader, id)) === 'primary';
    });
    assert.match(
      (await reader.checkReadiness()).join(),
      /: pages are read from the primary, as one failed: /,
    );
    await delay('0');
    await until('the standby is used again', async () => (await placeOf(reader, id)) === nameOf(hanging));
  });

  test('may be of partitions, and of a table that was adopted', async t => {
    for (const database of ['partitioned', 'adopted']) {
      const [primary, ...standbys] = [replication.primary, ...replication.standbys].map(
        ({ url, ...server }) => ({ ...server, url: `${url}/${database}` }),
      ) as [PostgresServer, PostgresServer, PostgresServer];
      await runSql(databaseOf(replication.primary), `CREATE DATABASE ${database}`);
      const store = storeAt(primary.url);
      await store.migrate(undefined, undefined, database === 'partitioned' ? 4 : undefined);
      let id = 'team_1' as OrganizationId;
      if (database === 'adopted') {
        await runSql(primary.url, CREATE_TABLE);
        await (await store.adoption()).apply(simpleMapping(), {
          actor: TEST_ACTOR,
          role: undefined,
          onStep: () => {},
        });
      } else [id] = (await createOrganizations(primary.url, 1)) as [OrganizationId];
      const reader = await store.openReader({
        adminKeyCacheSeconds: 0,
        pageCacheBytes: 0,
        standbys: { urls: standbys.map(({ url }) => url), maxLagSeconds: LONG_SECONDS },
      });
      atEndOf(t, () => reader.close());
      const ofPrimary = await store.openReader();
      atEndOf(t, () => ofPrimary.close());
      await until('a standby has it', async () => (await placeOf(reader, id)) !== 'primary');
      assert.deepEqual(await reader.listApiKeys(id, FIRST_PAGE), await ofPrimary.listApiKeys(id, FIRST_PAGE));
    }
  });

  test('come from a standby that a service could not reach when it started', async t => {
    const [standby] = replication.standbys as [PostgresServer];
    await standby.kill('SIGINT');
    const reader = await openReader(t, LONG_SECONDS);
    assert.match(placeAt(reader, standby).problems.join(), /ECONNREFUSED/);
    const told: string[] = [];
    reader.watchReadiness?.(async () => {
      if (told.push((await reader.checkReadiness()).join()) === 1) throw new Error('told again');
    });
    await until('it is told, though nobody asks', () => told.length === 2);
    for (const problem of told) assert.match(problem, /ECONNREFUSED/);
    await standby.start();
    await until('the standby is used', () => isUsable(reader, standby));
    await until('it is told once', () => told.at(-1) === '');
    assert.equal(told.length, 3);
  });

  test('come from the primary when an address leads to several standbys, and this is told', async t => {
    const [seen, other] = replication.standbys as [PostgresServer, PostgresServer];
    const port = await startBalancer(t, [seen.port, other.port]);
    const balanced = at(seen, port);
    const reader = await openReader(t, LONG_SECONDS, { standbys: [balanced] });
    assert.ok(isUsable(reader, balanced));
    await until('it is told', async () => {
      assert.equal(await placeOf(reader, organizations[0] as OrganizationId), 'primary');
      return /: the address leads to several servers, or/.test((await reader.checkReadiness()).join());
    });
  });

  test('come from the primary when a pooler in transaction mode is in front of the standby', async t => {
    const [standby] = replication.standbys as [PostgresServer];
    const port = await startPooler(t, standby.port, 'transaction');
    const pooled = at(standby, port);
    const other = await connect(t, databaseOf(pooled));
    await other.query('SELECT 1'); // another client, whose connection is free
    const reader = await openReader(t, LONG_SECONDS, { standbys: [pooled] });
    const [, place] = reader.readPlaces?.() ?? [];
    assert.match(place?.problems.join() ?? '', /: a pooler in front of PostgreSQL changes the connection /);
    const { rows } = await other.query('SHOW default_transaction_read_only');
    assert.deepEqual(rows, [{ default_transaction_read_only: 'off' }]);
  });

  test('come from the primary when the standby belongs to another one', async t => {
    const other = await postgres.create();
    atEndOf(t, () => other.remove());
    const reader = await openReader(t, LONG_SECONDS, { database: other.url });
    for (const standby of replication.standbys)
      assert.match(placeAt(reader, standby).problems.join(), /: is a standby of another primary: /);
    assert.equal(await placeOf(reader, organizations[0] as OrganizationId), 'primary');
  });

  test('are those of the standby that is promoted when the primary is killed, and of the one that follows it', async t => {
    const { primary } = replication;
    const [promoted, follower] = replication.standbys as [PostgresServer, PostgresServer];
    const { port } = promoted;
    const both = databaseOf(primary).replace(/@[^/]+/, host => `${host},127.0.0.1:${port}`);
    const reader = await openReader(t, 1, { database: both });
    const id = await organizationOf(reader, follower);
    const lost = await organizationOf(reader, promoted);
    await primary.kill('SIGKILL');
    await until('no standby is known to be near the primary', () =>
      replication.standbys.every(standby => !isUsable(reader, standby)),
    );
    await assert.rejects(reader.listApiKeys(id, FIRST_PAGE), StoreUnavailable);

    await runSql(databaseOf(promoted), 'SELECT pg_promote()');
    await until('the new primary answers', async () => (await readOrNull(reader, lost)) !== null);
    await until(
      'pages come from it as from a standby',
      async () => (await placeOf(reader, lost)) === nameOf(promoted),
    );
    const old = `standby ${nameOf(follower)}: is on timeline 1, and the primary is on 2: its pages are read from the primary`;
    // Before it is asked again it is only known to be behind.
    await until('the other standby is known to be old', async () =>
      (await reader.checkReadiness()).includes(old),
    );
    assert.deepEqual(await reader.checkReadiness(), [old]);
    const key = await addKey(promoted, id);
    await wait(1_001);
    assert.ok((await listedIds(reader, id)).includes(key));

    const { password } = new URL(promoted.url);
    const source = `host=127.0.0.1 port=${port} user=postgres password=${password}`;
    await runSql(databaseOf(follower), `ALTER SYSTEM SET primary_conninfo = '${source}'`);
    await runSql(databaseOf(follower), 'SELECT pg_reload_conf()');
    await until(
      'the other standby is used again',
      async () => (await placeOf(reader, id)) === nameOf(follower),
    );
    assert.ok((await listedIds(reader, id)).includes(key));
    assert.deepEqual(await reader.checkReadiness(), []);

    // The old primary is back, while the new one restarts: it lacks the key.
    await primary.start();
    await promoted.kill('SIGINT');
    const refused = /: this was the primary: it is on timeline 1, and the primary is on 2: stop it/;
    await until('the old primary is refused', async () =>
      reader.listApiKeys(lost, FIRST_PAGE).then(
        () => assert.fail('it was read'),
        ({ message }: StoreUnavailable) => refused.test(message),
      ),
    );
    await promoted.start();
    await until('the new primary answers again', async () => (await readOrNull(reader, id)) !== null);
    assert.ok((await listedIds(reader, id)).includes(key));
    await until('all is well', async () => (await reader.checkReadiness()).length === 0);
  });
});

/** Forwards the first connection to the first port, and all others to the second. Returns its own. */
async function startBalancer(scope: Scope, [first, second]: readonly [number, number]): Promise<number> {
  let target = first;
  const server = createServer(client => {
    const upstream = createConnection({ host: '127.0.0.1', port: target });
    target = second;
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEndOf(scope, () => server.close());
  return (server.address() as AddressInfo).port;
}

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

  test('over Citus', { skip: skipWithoutCitus }, async t => {
    const { createCitusDatabase } = await import('../../support/citus.ts');
    const { url, remove } = await createCitusDatabase();
    atEndOf(t, remove);
    await storeAt(url).migrate();
    await assert.rejects(
      storeAt(url).openReader({ ...caches, standbys }),
      refused(/^--read-from: not over Citus/),
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

/** The same server, behind another port. */
const at = (server: PostgresServer, port: number): PostgresServer => ({
  ...server,
  url: server.url.replace(/\d+$/, String(port)),
  port,
});

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

const readOrNull = (reader: StoreReader, organization: OrganizationId) =>
  reader.listApiKeys(organization, FIRST_PAGE).catch(() => null);
