import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Client } from 'pg';
import { parsePostgresUrl } from '../../../../src/service/postgres/connecting/url.ts';
import { Connections } from '../../../../src/service/postgres/pages/connections.ts';
import { ReadPool } from '../../../../src/service/postgres/pages/read-pool.ts';
import type { Reads } from '../../../../src/service/postgres/pages/reads.ts';
import { StoreBusy, StoreUnavailable } from '../../../../src/service/roster/errors.ts';
import type { OrganizationId } from '../../../../src/shared/record/identifier.ts';
import { connect } from '../../../support/connect.ts';
import { newStore } from '../../../support/opened.ts';
import { OWN_TABLE } from '../../../support/own-table.ts';
import { atEndOf, type Scope, suiteScope } from '../../../support/scope.ts';
import type { TestStore } from '../../../support/stores.ts';
import { until } from '../../../support/until.ts';

const statement = (text: string) => ({ name: '', text, values: [] });
const PID = statement('SELECT pg_backend_pid()');
/** Waits for a lock that nobody has unless a test takes it. */
const WAITS = statement('SELECT pg_backend_pid(), pg_advisory_xact_lock_shared(1)');

describe('the connections over which PostgreSQL is read', () => {
  const scope = suiteScope();
  let store: TestStore;
  let client: Client;
  before(async () => {
    store = await newStore(scope);
    client = await connect(scope, store.url);
  });

  const newPool = (scope: Scope) => {
    const pool = new ReadPool(parsePostgresUrl(store.url), { hasCitus: false, table: OWN_TABLE });
    atEndOf(scope, () => pool.close());
    return pool;
  };
  const pagesOf = (pool: ReadPool, organization: string) => pool.pages(organization as OrganizationId);
  const lock = () => client.query('SELECT pg_advisory_lock(1)');
  const unlock = () => client.query('SELECT pg_advisory_unlock_all()');
  const waiting = async () => {
    const text = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;
    return (await client.query<{ pid: number }>(text)).rows;
  };
  const numberWaits = (count: number) =>
    until(`${count} statements wait`, async () => (await waiting()).length === count);
  /** Has a page of each wait for the lock. A busy machine may open one connection in time, but not all at once. */
  const hang = async (all: readonly Reads[]) => {
    await lock();
    const hanging: Promise<[pid: string, lock: string][]>[] = [];
    for (const pages of all) {
      hanging.push(pages.rows(WAITS));
      await numberWaits(hanging.length);
    }
    return hanging;
  };

  test('an organization whose pages hang gets no more of them, and others theirs, also where three hang', async t => {
    const pool = newPool(t);
    const all = await Promise.all(['org_1', 'org_2', 'org_3', 'org_4'].map(id => pagesOf(pool, id)));
    const [other, ...three] = all;
    assert(other);
    const hanging = await hang([...three, ...three]);
    for (const pages of three) await assert.rejects(pages.rows(PID), StoreBusy);
    for (const _ of [1, 2]) await Promise.all([other, other, pool.lookups].map(reads => reads.rows(PID)));
    await unlock();
    const pids = (await Promise.all(hanging)).map(([row]) => row?.[0]);
    assert.equal(new Set(pids).size, 6);
    await Promise.all(all.map(pages => pages.rows(PID)));
  });

  test('admin keys are looked up while pages of all organizations hang', async t => {
    const pool = newPool(t);
    const ids = Array.from({ length: 8 }, (_, number) => `org_${number}`);
    const hanging = await hang(await Promise.all(ids.map(id => pagesOf(pool, id))));
    const next = await pagesOf(pool, 'org_9');
    await assert.rejects(next.rows(PID), StoreBusy);
    await pool.lookups.rows(PID);
    await unlock();
    await Promise.all(hanging);
  });

  test('a read whose connection broke is sent once more, also where all broke at once, and not a third time', async t => {
    const connections = new Connections(parsePostgresUrl(store.url), 2);
    atEndOf(t, () => connections.close());
    const read = () => connections.rows(WAITS, performance.now() + 60_000);
    const endWaiting = async () => {
      const pids = (await waiting()).map(({ pid }) => pid);
      await client.query('SELECT pg_terminate_backend(pid, 5000) FROM unnest($1::int[]) AS pid', [pids]);
    };
    await lock();
    const both = [read(), read()];
    await numberWaits(2);
    await endWaiting();
    await numberWaits(2);
    await unlock();
    await Promise.all(both);
    await lock();
    const twice = assert.rejects(read(), StoreUnavailable);
    for (const _ of [1, 2]) {
      await numberWaits(1);
      await endWaiting();
    }
    await twice;
    await unlock();
  });

  test('closing waits for what is under way, and refuses what comes later', async () => {
    const pool = newPool(scope);
    await lock();
    const page = pool.lookups.rows(WAITS);
    await numberWaits(1);
    const closed = pool.close();
    await assert.rejects(pool.lookups.rows(PID), /the store is closed/);
    await unlock();
    assert.equal((await page).length, 1);
    await closed;
  });
});
