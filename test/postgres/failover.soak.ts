import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { Refused } from '../../src/roster/errors.ts';
import type { ApiKeyId, OrganizationId } from '../../src/roster/identifier.ts';
import type { StoreReader } from '../../src/roster/roster.ts';
import { walkRoster } from '../../src/roster/walk-roster.ts';
import { firstKeys } from '../support/changing-roster.ts';
import { type PostgresServer, startPostgres, startStandby } from '../support/postgres.ts';
import { createOrganization, importKeys } from '../support/roster.ts';
import { atEndOf } from '../support/scope.ts';
import { startStallingProxy } from '../support/stalling-proxy.ts';
import { storeAt } from '../support/store-at.ts';

const WRITERS = 3;
/** Batches that each writer gets acknowledged before the primary is killed. */
const BATCHES = 40;
const KEYS_A_BATCH = 5;
const MAX_WAIT_MS = 20_000;

/** Commits one batch of new keys after another, and records their IDs once a commit is acknowledged, until one fails. */
interface RunningWriter {
  readonly acknowledged: ApiKeyId[];
  /** Resolves when `BATCHES` batches are acknowledged. */
  readonly enough: Promise<void>;
  /** Resolves with the error that ended the writer. */
  readonly end: Promise<unknown>;
}

test('when a primary is killed while clients write, and its synchronous standby is promoted, no acknowledged record is lost', async t => {
  const primary = await startPostgres();
  atEndOf(t, () => primary.stop());
  const url = `${primary.url}/postgres`;
  const store = storeAt(url);
  await store.migrate();
  const setUp = await store.openWriter();
  const { id: organization } = await createOrganization(setUp);
  await setUp.close();
  await query(url, "ALTER SYSTEM SET synchronous_standby_names = '*'"); // takes effect at the next start
  await primary.kill('SIGINT');

  const proxy = await startStallingProxy(primary.port);
  atEndOf(t, () => proxy.close());
  const standby = await startStandby(primary, proxy.port);
  atEndOf(t, () => standby.stop());
  await primary.start();
  const numbers = Array.from({ length: WRITERS }, (_, number) => number);
  const importers = numbers.map(number => startImporter(url, organization, `import_${number}`));
  const writers = [
    ...importers,
    ...numbers.map(number => startInserter(url, organization, `insert_${number}`)),
  ];
  await Promise.race([
    Promise.all(writers.map(({ enough }) => enough)),
    ...writers.map(({ end }) => end.then(error => assert.fail(`a writer ended first: ${error}`))),
  ]);
  // Cut the standby off: what is committed from now on is lost with the primary, so it must not be acknowledged.
  proxy.stall('both');
  await untilAllWritersWait(url);
  await killAllProcesses(primary, url);
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

  // The promoted server accepts writes once it waits for no standby.
  await query(promoted, "ALTER SYSTEM SET synchronous_standby_names = ''");
  await query(promoted, 'SELECT pg_reload_conf()');
  const after = await storeAt(promoted).openWriter();
  await createOrganization(after);
  await after.close();
});

function startImporter(url: string, organization: OrganizationId, prefix: string): RunningWriter {
  return startWriter(async commit => {
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

function startInserter(url: string, organization: OrganizationId, prefix: string): RunningWriter {
  return startWriter(async commit => {
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

function startWriter(work: (commit: (ids: readonly ApiKeyId[]) => void) => Promise<void>): RunningWriter {
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

/** Waits until every writer has committed something that the standby doesn't have, and waits for the acknowledgement. */
async function untilAllWritersWait(url: string): Promise<void> {
  const start = performance.now();
  for (;;) {
    const [row] = await query(
      url,
      "SELECT count(*) AS number FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
    );
    if (Number(row?.number) === 2 * WRITERS) return;
    assert.ok(performance.now() - start < MAX_WAIT_MS, `only ${row?.number} writers wait for the standby`);
  }
}

/** Kills all of its processes at once: a process that only loses its parent could still finish its commit. */
async function killAllProcesses(server: PostgresServer, url: string): Promise<void> {
  const rows = await query(url, 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
  const ended = server.kill('SIGKILL');
  for (const { pid } of rows) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {} // it has already ended
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

async function listedIds(reader: StoreReader, organization: OrganizationId): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const page of walkRoster(reader, organization)) for (const { id } of page) ids.add(id);
  return ids;
}
