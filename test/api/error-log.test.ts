import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorLog } from '../../src/api/error-log.ts';
import { createLog } from '../../src/api/log.ts';
import type { LogLevel } from '../../src/api/log-levels.ts';

function errorLog(level: LogLevel = 'info') {
  const lines: string[] = [];
  const log = createLog({ level, destination: { write: line => void lines.push(line) } });
  const told = () => lines.splice(0).map(line => JSON.parse(line));
  return { log: new ErrorLog(log), told };
}

test('of a store that stays unavailable there is a line a second, which counts those that had none, to the last', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { log, told } = errorLog();
  for (let now = 5; now < 2_010; now += 10) {
    const line = () => ({ request_id: `req_${now}`, reason: 'ECONNREFUSED' });
    log.repeated('error', 'ECONNREFUSED', line, 'store unavailable');
    t.mock.timers.tick(10);
  }
  const lines = () => told().map(({ request_id, not_logged, msg }) => ({ request_id, not_logged, msg }));
  const msg = 'store unavailable';
  assert.deepEqual(lines(), [
    { request_id: 'req_5', not_logged: undefined, msg },
    { request_id: 'req_995', not_logged: 98, msg },
    { request_id: 'req_1995', not_logged: 99, msg },
  ]);
  t.mock.timers.tick(1_000);
  assert.deepEqual(lines(), [{ request_id: 'req_2005', not_logged: undefined, msg }]);
  t.mock.timers.tick(60_000);
  assert.deepEqual(lines(), []);
});

test('another reason has its line at once, and each fault of Keyroster has one', () => {
  const { log, told } = errorLog();
  for (const reason of ['ECONNREFUSED', 'ETIMEDOUT', 'ECONNREFUSED'])
    log.repeated('error', reason, () => ({ reason }), 'store unavailable');
  for (const request_id of ['req_1', 'req_2']) log.failed({ request_id, err: new Error('a fault') });
  assert.deepEqual(
    told().map(({ reason, request_id }) => reason ?? request_id),
    ['ECONNREFUSED', 'ETIMEDOUT', 'req_1', 'req_2'],
  );
});

test('only what is written is made: a line a second, and none below the level of the log', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (const [level, made] of [
    ['warn', 2],
    ['error', 0],
  ] as const) {
    const { log, told } = errorLog(level);
    let lines = 0;
    for (let times = 0; times < 100; times++)
      log.repeated('warn', '401', () => ({ lines: ++lines }), 'authenticate has thrown');
    t.mock.timers.tick(60_000);
    assert.equal(lines, made);
    assert.equal(told().length, made);
  }
});
