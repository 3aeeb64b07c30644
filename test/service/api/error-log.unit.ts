import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAnswer } from '../../../src/service/api/answer.ts';
import { ErrorLog } from '../../../src/service/api/error-log.ts';
import { Log } from '../../../src/service/api/log.ts';
import { StoreUnavailable } from '../../../src/service/roster/errors.ts';
import type { LogLevel } from '../../../src/service/serving-settings.ts';

function errorLog(level: LogLevel = 'info') {
  const lines: string[] = [];
  const log = new Log({ level, destination: { write: line => void lines.push(line) } });
  const told = () => lines.splice(0).map(line => JSON.parse(line));
  return { log: new ErrorLog(log), told };
}

test('of a store that stays unavailable there is a line a second, and of another reason one at once', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { log, told } = errorLog();
  for (let now = 5; now < 2_010; now += 10) {
    log.fill({ ...newAnswer(), requestId: `req_${now}` }, new StoreUnavailable('ECONNREFUSED'));
    if (now === 25) log.fill(newAnswer(), new StoreUnavailable('ETIMEDOUT'));
    t.mock.timers.tick(10);
  }
  const lines = told().map(({ request_id, reason, msg }) => [request_id.slice(0, 8), reason, msg]);
  const msg = 'store unavailable';
  assert.deepEqual(lines[0], ['req_5', 'ECONNREFUSED', msg]);
  assert.deepEqual(lines[1]?.slice(1), ['ETIMEDOUT', msg]);
  assert.deepEqual(lines.slice(2), [
    ['req_1005', 'ECONNREFUSED', msg],
    ['req_2005', 'ECONNREFUSED', msg],
  ]);
});

test('each fault of Keyroster has a line', () => {
  const { log, told } = errorLog();
  for (const requestId of ['req_1', 'req_2'])
    log.fill({ ...newAnswer(), requestId }, new Error('the same fault'));
  const lines = told().map(({ request_id, err }) => `${request_id}: ${err.message}`);
  assert.deepEqual(lines, ['req_1: the same fault', 'req_2: the same fault']);
});

test('only what is written is made: a line a second, and none below the level of the log', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (const [level, made] of Object.entries({ warn: 1, error: 0 }) as [LogLevel, number][]) {
    const { log, told } = errorLog(level);
    let lines = 0;
    for (let times = 0; times < 100; times++)
      log.repeated('warn', '401', () => ({ lines: ++lines }), 'authenticate has thrown');
    t.mock.timers.tick(60_000);
    assert.equal(lines, made);
    assert.equal(told().length, made);
  }
});
