import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { StoreBusy } from '../../../src/roster/errors.ts';
import type { ApiKeyId, OrganizationId } from '../../../src/roster/identifier.ts';
import type { ListQuery } from '../../../src/roster/list-query.ts';
import type { StoreReader } from '../../../src/roster/roster.ts';
import { walkRoster } from '../../../src/roster/walk-roster.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import { databaseOf, pauseReplay, resumeReplay, startReplication } from '../../support/replication.ts';
import { createOrganization } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { atEndOf } from '../../support/scope.ts';
import { SOAK_MINUTES } from '../../support/soak.ts';
import { storeAt } from '../../support/store-at.ts';

const MAX_LAG_SECONDS = 1;
const ORGANIZATIONS = 12;
const READERS = 4;
/** So that a page has all that was acknowledged lately. */
const LONG_PAGE: ListQuery = { filter: {}, cursor: null, limit: 1000 };

/** When each key was acknowledged, oldest first. */
type Acknowledged = { readonly id: ApiKeyId; readonly at: number }[];

test('no page lacks a key that was acknowledged before the max lag, and no walk has one twice, whatever happens to the standbys', async t => {
  const { primary, standbys } = await startReplication(t, 2);
  for (const standby of standbys) await setOn(standby, 'max_standby_streaming_delay', '0');
  const setUp = await storeAt(databaseOf(primary)).openWriter();
  const rosters = new Map<OrganizationId, Acknowledged>();
  for (let number = 0; number < ORGANIZATIONS; number++)
    rosters.set((await createOrganization(setUp)).id, []);
  await setUp.close();
  const opened = await storeAt(databaseOf(primary)).openReader({
    adminKeyCacheSeconds: 0,
    pageCacheBytes: 0,
    standbys: { urls: standbys.map(databaseOf), maxLagSeconds: MAX_LAG_SECONDS },
  });
  atEndOf(t, () => opened.close());

  const end = performance.now() + SOAK_MINUTES * 60_000;
  const isOver = () => performance.now() > end;
  const counts = { written: 0, pages: 0, walks: 0, disturbances: 0, busy: 0 };
  const organizations = [...rosters.keys()];
  const any = () => organizations[Math.floor(Math.random() * organizations.length)] as OrganizationId;
  const acknowledgedOf = (id: OrganizationId) => rosters.get(id) as Acknowledged;

  /** Asks again when the primary has too much to do, with a lock of the whole table every 10 ms. */
  const listApiKeys: StoreReader['listApiKeys'] = async (...page) => {
    for (;;) {
      try {
        return await opened.listApiKeys(...page);
      } catch (error) {
        if (!(error instanceof StoreBusy)) throw error;
        counts.busy += 1;
        await wait(100);
      }
    }
  };
  const reader = { ...opened, listApiKeys };

  const write = async () => {
    const client = await connected(databaseOf(primary));
    while (!isOver()) {
      const organization = any();
      const id = `key_${counts.written++}` as ApiKeyId;
      await client.query(
        `INSERT INTO keyroster.api_keys (organization_id, id, name, created_by_id, created_by_type, partial_key_hint)
         VALUES ($1, $2, 'Inserted', 'user_1', 'user', 'sk...0000')`,
        [organization, id],
      );
      acknowledgedOf(organization).push({ id, at: performance.now() });
      await wait(Math.random() * 10);
    }
    await client.end();
  };
  const readPages = async () => {
    for (; !isOver(); counts.pages++) {
      const organization = any();
      const due = dueAt(performance.now(), acknowledgedOf(organization)).slice(-900);
      const page = await reader.listApiKeys(organization, LONG_PAGE);
      const listed = new Set(JSON.parse(`[${page?.records}]`).map(({ id }: { id: string }) => id));
      assert.deepEqual(
        due.filter(id => !listed.has(id)),
        [],
      );
      await wait(Math.random() * 5);
    }
  };
  const walk = async () => {
    for (; !isOver(); counts.walks++) {
      const organization = any();
      const due = dueAt(performance.now(), acknowledgedOf(organization));
      const listed = await slowWalk(reader, organization);
      assert.equal(new Set(listed).size, listed.length);
      const all = new Set(listed);
      assert.deepEqual(
        due.filter(id => !all.has(id)),
        [],
      );
    }
  };
  const disturb = async (standby: PostgresServer) => {
    for (; !isOver(); counts.disturbances++) {
      await wait(Math.random() * 2_000);
      await DISTURBANCES[Math.floor(Math.random() * DISTURBANCES.length)]?.(standby);
    }
  };
  /** A standby replays the lock at once, and cancels the pages that are in its way. */
  const lock = async () => {
    while (!isOver()) {
      await runSql(
        databaseOf(primary),
        'BEGIN; LOCK TABLE keyroster.api_keys IN ACCESS EXCLUSIVE MODE; COMMIT',
      );
      await wait(10);
    }
  };
  const readers = Array.from({ length: READERS }, readPages);
  await Promise.all([write(), write(), ...readers, walk(), walk(), lock(), ...standbys.map(disturb)]);

  let conflicts = 0;
  for (const standby of standbys) {
    const [row] = await runSql(databaseOf(standby), CANCELED);
    conflicts += Number(row?.number);
  }
  const places = reader.readPlaces?.().map(({ name, pages }) => `${name}: ${pages}`);
  t.diagnostic(JSON.stringify({ ...counts, places, conflicts }));
});

/** What any page has that is asked for now. */
const dueAt = (now: number, acknowledged: Acknowledged): ApiKeyId[] =>
  acknowledged.filter(({ at }) => at <= now - MAX_LAG_SECONDS * 1000).map(({ id }) => id);

async function slowWalk(reader: StoreReader, organization: OrganizationId): Promise<string[]> {
  const listed: string[] = [];
  for await (const page of walkRoster(reader, organization)) {
    listed.push(...page.map(({ id }) => id));
    await wait(Math.random() * 50);
  }
  return listed;
}

/** Since it was last started. */
const CANCELED = 'SELECT sum(conflicts) AS number FROM pg_stat_database';
const ALL_CONNECTIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'keyroster'`;

const DISTURBANCES: readonly ((standby: PostgresServer) => Promise<unknown>)[] = [
  async standby => {
    await again(() => pauseReplay(standby));
    await wait(Math.random() * 4_000);
    await again(() => resumeReplay(standby));
  },
  async standby => {
    await setOn(standby, 'recovery_min_apply_delay', `${Math.floor(Math.random() * 1_500)}ms`);
    await wait(3_000);
    await setOn(standby, 'recovery_min_apply_delay', '0');
  },
  standby => again(() => runSql(databaseOf(standby), ALL_CONNECTIONS)),
  async standby => {
    await standby.kill('SIGKILL');
    await wait(Math.random() * 1_000);
    await standby.start();
  },
];

async function setOn(server: PostgresServer, name: string, value: string): Promise<void> {
  await again(() => runSql(databaseOf(server), `ALTER SYSTEM SET ${name} = '${value}'`));
  await again(() => runSql(databaseOf(server), 'SELECT pg_reload_conf()'));
}

/** A standby may cancel what the test asks of it too. */
async function again(ask: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      return void (await ask());
    } catch (error) {
      if ((error as { code?: string }).code !== '40001') throw error;
    }
  }
}

async function connected(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  return client;
}
