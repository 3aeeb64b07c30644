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

test('of a store that stays unavailable there is a line a second, which counts those that had none', t => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const { log, told } = errorLog();
  for (now = 0; now <= 2_000; now += 10)
    log.unavailable(
      'ECONNREFUSED',
      { request_id: `req_${now}`, reason: 'ECONNREFUSED' },
      'store unavailable',
    );
  assert.deepEqual(
    told().map(({ request_id, not_logged, msg }) => ({ request_id, not_logged, msg })),
    [
      { request_id: 'req_0', not_logged: undefined, msg: 'store unavailable' },
      { request_id: 'req_1000', not_logged: 99, msg: 'store unavailable' },
      { request_id: 'req_2000', not_logged: 99, msg: 'store unavailable' },
    ],
  );
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
