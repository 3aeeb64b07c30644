import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { Refused } from '../../src/roster/errors.ts';
import type { ApiKeyId, OrganizationId } from '../../src/roster/identifier.ts';
import type { RosterReader } from '../../src/roster/roster.ts';
import { walkRoster } from '../../src/roster/walk-roster.ts';
import { firstKeys } from '../support/changing-roster.ts';
import { type PostgresServer, startPostgres, startStandby } from '../support/postgres.ts';
import { createOrganization, importKeys } from '../support/roster.ts';
import { atEndOf } from '../support/scope.ts';
import { startStallingProxy } from '../support/stalling-proxy.ts';
import { storeAt } from '../support/store-at.ts';

const WRITERS = 3;
/** Acknowledged by each writer before the primary dies. */
const BATCHES = 40;
const KEYS_A_BATCH = 5;
const MAX_WAIT_MS = 20_000;

/** Commits one batch of new keys after another and notes their IDs when it is told of the commit, until that fails. */
interface Writing {
  readonly acknowledged: ApiKeyId[];
  /** When so many batches are acknowledged. */
  readonly enough: Promise<void>;
  /** With what made it fail. */
  readonly end: Promise<unknown>;
}

test('a primary killed under writers, and its synchronous standby promoted: no acknowledged record is lost', async t => {
  const primary = await startPostgres();
  atEndOf(t, () => primary.stop());
  const url = `${primary.url}/postgres`;
  const store = storeAt(url);
  await store.migrate();
  const setUp = await store.openWriter();
  const { id: organization } = await createOrganization(setUp);
  await setUp.close();
  await query(url, "ALTER SYSTEM SET synchronous_standby_names = '*'"); // from the next start on
  await primary.kill('SIGINT');

  const proxy = await startStallingProxy(primary.port);
  atEndOf(t, () => proxy.close());
  const standby = await startStandby(primary, proxy.port);
  atEndOf(t, () => standby.stop());
  await primary.start();
  const numbers = Array.from({ length: WRITERS }, (_, number) => number);
  const importers = numbers.map(number => importing(url, organization, `import_${number}`));
  const writers = [...importers, ...numbers.map(number => inserting(url, organization, `insert_${number}`))];
  await Promise.race([
    Promise.all(writers.map(({ enough }) => enough)),
    ...writers.map(({ end }) => end.then(error => assert.fail(`a writer ended first: ${error}`))),
  ]);
  // Then the standby falls behind: what is committed from now on dies with the primary, and no one may be told of it.
  proxy.stall('both');
  await untilAllWait(url);
  await killWhole(primary, url);
  await Promise.all(writers.map(({ end }) => end));
  for (const { end } of importers) assert.ok((await end) instanceof Refused, String(await end));

  const promoted = `${standby.url}/postgres`;
  const [row] = await query(promoted, 'SELECT pg_promote() AS done');
  assert.equal(row?.done, true);
  const reader = await storeAt(promoted).openReader();
  const listed = await listedIds(reader, organization);
  await reader.close();
  const acknowledged = writers.flatMap(writer => writer.acknowledged);
  t.diagnostic(`${acknowledged.length} acknowledged, ${listed.size} listed`);
  assert.deepEqual(
    acknowledged.filter(id => !listed.has(id)),
    [],
  );

  // And it takes writes, once it waits for no standby of its own.
  await query(promoted, "ALTER SYSTEM SET synchronous_standby_names = ''");
  await query(promoted, 'SELECT pg_reload_conf()');
  const after = await storeAt(promoted).openWriter();
  await createOrganization(after);
  await after.close();
});

function importing(url: string, organization: OrganizationId, prefix: string): Writing {
  return writing(async commit => {
    const writer = await storeAt(url).openWriter();
    try {
      for (let batch = 0; ; batch++) {
        const keys = firstKeys(KEYS_A_BATCH).map((key, number) => ({
          ...key,
          id: `${prefix}_${batch}_${number}` as ApiKeyId,
        }));
        const { inserted } = await importKeys(writer, organization, keys);
        assert.equal(inserted, keys.length);
        commit(keys.map(({ id }) => id));
      }
    } finally {
      await writer.close();
    }
  });
}

function inserting(url: string, organization: OrganizationId, prefix: string): Writing {
  return writing(async commit => {
    const client = new Client(url);
    client.on('error', () => {});
    await client.connect();
    for (let number = 0; ; number++) {
      const id = `${prefix}_${number}` as ApiKeyId;
      await client.query(
        `INSERT INTO keyroster.api_keys (organization_id, id, name, created_by_id, created_by_type, partial_key_hint)
         VALUES ($1, $2, 'Inserted', 'user_1', 'user', 'sk...0000')`,
        [organization, id],
      );
      commit([id]);
    }
  });
}

function writing(work: (commit: (ids: readonly ApiKeyId[]) => void) => Promise<void>): Writing {
  const acknowledged: ApiKeyId[] = [];
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  let batches = 0;
  const end = work(ids => {
    acknowledged.push(...ids);
    batches += 1;
    if (batches === BATCHES) resolve();
  }).catch((error: unknown) => error);
  return { acknowledged, enough, end };
}

/** Until every writer has committed something that the standby hasn't got, and waits to be told. */
async function untilAllWait(url: string): Promise<void> {
  const start = performance.now();
  for (;;) {
    const [row] = await query(
      url,
      "SELECT count(*) AS number FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
    );
    if (Number(row?.number) === 2 * WRITERS) return;
    assert.ok(performance.now() - start < MAX_WAIT_MS, `only ${row?.number} writers wait`);
  }
}

/** All of its processes at once: those that only lost their parent could end what they were about. */
async function killWhole(server: PostgresServer, url: string): Promise<void> {
  const rows = await query(url, 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
  const ended = server.kill('SIGKILL');
  for (const { pid } of rows) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {} // it has ended already
  }
  await ended;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

async function listedIds(reader: RosterReader, organization: OrganizationId): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const page of walkRoster(reader, organization)) for (const { id } of page) ids.add(id);
  return ids;
}
