import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorLog } from '../../src/api/error-log.ts';
import { createLog } from '../../src/api/log.ts';

function errorLog() {
  const lines: string[] = [];
  const log = createLog({ level: 'info', destination: { write: line => void lines.push(line) } });
  const told = () => lines.splice(0).map(line => JSON.parse(line));
  return { log: new ErrorLog(log), told };
}

test('of a store that stays unavailable there is a line a second, which counts those that had none, to the last', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { log, told } = errorLog();
  for (let now = 5; now < 2_010; now += 10) {
    log.unavailable(
      'ECONNREFUSED',
      { request_id: `req_${now}`, reason: 'ECONNREFUSED' },
      'store unavailable',
    );
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
    log.unavailable(reason, { reason }, 'store unavailable');
  for (const request_id of ['req_1', 'req_2']) log.failed({ request_id, err: new Error('a fault') });
  assert.deepEqual(
    told().map(({ reason, request_id }) => reason ?? request_id),
    ['ECONNREFUSED', 'ETIMEDOUT', 'req_1', 'req_2'],
  );
});
