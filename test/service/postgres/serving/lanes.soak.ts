import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { parsePostgresUrl } from '../../../../src/service/postgres/connecting/url.ts';
import { Lane } from '../../../../src/service/postgres/serving/lane.ts';
import { StoreBusy, StoreUnavailable } from '../../../../src/service/roster/errors.ts';
import { connect } from '../../../support/connect.ts';
import { atEndOf, type Scope } from '../../../support/scope.ts';
import { postgres, type TestStore } from '../../../support/stores.ts';
import { until } from '../../../support/until.ts';

const statement = (text: string) => ({ name: '', text, values: [] });
const PID = statement('SELECT pg_backend_pid()');
/** The service cancels it after 5 s. */
const HANGS = statement('SELECT pg_sleep(60)');

describe('the lanes of connections to PostgreSQL', { concurrency: true }, () => {
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

  for (const [what, sleeps] of [
    ['that was slow', [0.3]],
    ['whose statements take much of the lane in sum', [0.12, 0.12, 0.12]],
  ] as const)
    testLane(`a part ${what} has a connection that others do not wait for`, async lane => {
      for (const seconds of sleeps) await lane.rows(statement(`SELECT pg_sleep(${seconds})`), 'slow');
      const [[pid] = []] = await lane.rows(PID, 'fast');
      const [[ofSlow] = []] = await lane.rows(PID, 'slow');
      assert.notEqual(ofSlow, pid);
      assert.deepEqual(await lane.rows(PID, 'fast'), [[pid]]);
    });

  testLane(
    'a part whose statements hang one after another is refused meanwhile, and others are not',
    async lane => {
      const hanging: Promise<void>[] = [];
      for (let isRefused = false; !isRefused; ) {
        hanging.push(assert.rejects(lane.rows(HANGS, 'hanging')));
        await setTimeout(600);
        isRefused = await lane.rows(PID, 'hanging').then(
          () => false,
          error => error instanceof StoreBusy,
        );
      }
      await lane.rows(PID, 'fast');
      await Promise.all(hanging);
    },
  );

  testLane('a part that was slow once does not wait for one that hangs', async lane => {
    await lane.rows(statement('SELECT pg_sleep(0.3)'), 'slow once');
    const hanging = [assert.rejects(lane.rows(HANGS, 'hanging'), StoreUnavailable)];
    await setTimeout(400);
    let isOver = false;
    const again = assert.rejects(lane.rows(HANGS, 'hanging'), StoreUnavailable).finally(() => {
      isOver = true;
    });
    hanging.push(again);
    await lane.rows(PID, 'slow once');
    await lane.rows(PID, 'slow once');
    assert(!isOver);
    await Promise.all(hanging);
  });

  test('connections that hang are at most five for a lane, PostgreSQL ends each once nobody waits for it, and nobody waits for 9 s', async t => {
    const lane = laneOf(t);
    const client = await connect(t, store.url);
    const hangs = statement('SELECT pg_sleep(61)');
    const begin = performance.now();
    const settled = Promise.allSettled(
      Array.from({ length: 12 }, (_, number) => lane.rows(hangs, `hanging ${number}`)),
    );
    const open = async () => {
      const text = `SELECT count(*)::int AS count, count(*) FILTER (WHERE query_start < now() - interval '2.5 s')::int AS "long" FROM pg_stat_activity WHERE query LIKE '%pg_sleep(61)%' AND pid <> pg_backend_pid()`;
      return (await client.query(text)).rows[0] as { count: number; long: number };
    };
    let max = 0;
    let isSettled = false;
    settled.then(() => {
      isSettled = true;
    });
    while (!isSettled) {
      // What was abandoned may run on for a second, until PostgreSQL notices.
      max = Math.max(max, (await open()).long);
      await setTimeout(50);
    }
    assert(max > 1 && max <= 5, `${max} connections`);
    assert(performance.now() - begin < 9_000);
    await lane.close();
    await until('PostgreSQL has ended them all', async () => (await open()).count === 0);
  });
});
