import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parsePostgresUrl } from '../../../../src/service/postgres/connecting/url.ts';
import { Lane } from '../../../../src/service/postgres/serving/lane.ts';
import { Lanes } from '../../../../src/service/postgres/serving/lanes.ts';
import { StoreUnavailable } from '../../../../src/service/roster/errors.ts';
import type { OrganizationId } from '../../../../src/shared/record/identifier.ts';
import { newStore } from '../../../support/opened.ts';
import { atEndOf, type Scope } from '../../../support/scope.ts';
import { postgres, type TestStore } from '../../../support/stores.ts';
import { until } from '../../../support/until.ts';

const statement = (text: string) => ({ name: '', text, values: [] });
const PID = statement('SELECT pg_backend_pid()');
/** The service cancels it after 5 s. */
const HANGS = statement('SELECT pg_sleep(60)');

describe('the lanes of connections to PostgreSQL', () => {
  let store: TestStore;
  before(async () => {
    store = await postgres.create();
  });
  after(() => store.remove());

  const laneOf = (scope: Scope) => {
    const lane = new Lane(parsePostgresUrl(store.url));
    atEndOf(scope, () => lane.close());
    return lane;
  };

  test('an organization is always on the same lane, its long pages on another, and admin keys on a third', async t => {
    t.mock.method(performance, 'now', () => 0); // on a busy machine a statement may be slow, which moves its organization
    const lanes = new Lanes(parsePostgresUrl(store.url), { hasCitus: false });
    atEndOf(t, () => lanes.close());
    const organization = 'org_a' as OrganizationId;
    const pidOf = async (limit: number) => (await lanes.pages(organization, limit)).rows(PID);
    const short = await pidOf(20);
    assert.deepEqual(await pidOf(100), short);
    const long = await pidOf(101);
    assert.deepEqual(await pidOf(1000), long);
    assert.notDeepEqual(short, long);
    const [adminKeys] = await lanes.lookups.rows(PID);
    assert(!short.concat(long).flat().includes(adminKeys?.[0]));
  });

  /** A busy machine may make any statement slow for once, so a scenario has several attempts. */
  const testLane = (what: string, scenario: (lane: Lane) => Promise<void>) =>
    test(what, async t => {
      for (let attempt = 1; ; attempt++) {
        try {
          await scenario(laneOf(t));
          return;
        } catch (error) {
          if (attempt === 5) throw error;
        }
      }
    });

  testLane(
    'what waits behind a statement that hangs is answered over another connection, and so is all that comes later',
    async lane => {
      const [[first] = []] = await lane.rows(PID, 'fast');
      const hanging = assert.rejects(lane.rows(HANGS, 'hanging'), StoreUnavailable);
      const waiting = Array.from({ length: 50 }, (_, number) => lane.rows(PID, `fast ${number}`));
      const answers = await Promise.all(waiting);
      const pids = new Set(answers.flat(2));
      assert.equal(pids.size, 1);
      assert(!pids.has(first));
      assert.deepEqual(new Set((await lane.rows(PID, 'fast')).flat()), pids);
      await hanging;
      assert.deepEqual(new Set((await lane.rows(PID, 'fast')).flat()), pids);
    },
  );
});

test('the connection for parts that were slow is closed once none is slow any more', async t => {
  const store = await newStore(t);
  const lane = new Lane(parsePostgresUrl(store.url));
  atEndOf(t, () => lane.close());
  await lane.rows(statement('SELECT pg_sleep(1)'), 'slow');
  const [[pid] = []] = await lane.rows<number[]>(PID, 'slow');
  const clock = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => clock() + 11_000);
  const left = statement(`SELECT FROM pg_stat_activity WHERE pid = ${pid}`);
  await until('the connection is closed', async () => (await lane.rows(left, 'fast')).length === 0);
});
