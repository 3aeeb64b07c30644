import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { DatabaseError } from 'pg';
import { type Answer, newAnswer } from '../../../src/service/api/answer.ts';
import { Log, type LogSettings, Observer } from '../../../src/service/api/log.ts';
import { placeOfError, plainError } from '../../../src/service/api/others-code.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { StoreUnavailable } from '../../../src/service/roster/errors.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { VENDOR } from '../../support/roster.ts';

const { pino: pinoOfFastify } = createRequire(import.meta.resolve('fastify'))('pino');

const answerOf = (parts: Partial<Answer>): Answer => ({ ...newAnswer(), requestId: 'req_1', ...parts });

const PAGE = answerOf({
  caller: { organizationId: 'org_1' as OrganizationId, id: 'Łukasz "7" \\' },
  items: 20,
  route: '/v1/organizations/api_keys',
});

/** The lines that these settings give for requests. */
function linesOf(settings: Partial<LogSettings>, answers: readonly Answer[]) {
  const lines: string[] = [];
  const whole: LogSettings = { level: 'info', destination: { write: line => lines.push(line) }, ...settings };
  const log = new Log(whole);
  const observer = new Observer(log);
  for (const answer of answers) observer.answered(answer, 'GET', { logField: 'caller_id' }, true);
  return { lines, log, observer };
}

test('the line of a request is as any other of the log, field by field', t => {
  t.mock.method(performance, 'now', () => PAGE.startedAt + 6.584);
  const { lines, log } = linesOf({}, [PAGE]);
  const { requestId: request_id, items: rows, route, status, caller } = PAGE;
  const fields = { request_id, organization_id: caller?.organizationId, caller_id: caller?.id, rows };
  log.info('request', { ...fields, method: 'GET', route, status, duration_ms: 6.584 });
  const [ours, others] = lines.map(line => line.replace(/"time":\d+/, '"time":0'));
  assert.equal(ours, others);
  assert.ok(Math.abs(JSON.parse(String(lines[0])).time - Date.now()) < 60_000);
});

test('a request of which little is known has those fields only, and no method is repeated that is none', () => {
  const { lines, observer } = linesOf({}, []);
  observer.unparsed('req_1', 400);
  observer.answered(answerOf({ status: 404 }), 'A SECRET', { logField: 'caller_id' }, false);
  const [unparsed, other] = lines.map(line => {
    const { level, time, pid, hostname, duration_ms, ...fields } = JSON.parse(line);
    return fields;
  });
  assert.deepEqual(unparsed, { request_id: 'req_1', method: null, route: null, status: 400, msg: 'request' });
  assert.deepEqual(other, { ...unparsed, method: 'other', status: 499 });
});

test('no request has a line when only warnings are logged; another line has', () => {
  const { lines, log } = linesOf({ level: 'warn' }, [PAGE, { ...PAGE, status: 500 }]);
  assert.deepEqual(lines, []);
  log.error('broken');
  assert.equal(lines.length, 1);
});

test('a health probe has a line at level debug, and one that failed at level info', () => {
  const probes = ['/healthz', '/readyz'].flatMap(route => [
    answerOf({ route }),
    answerOf({ route, status: 503 }),
  ]);
  const seen = (level: 'debug' | 'info') =>
    linesOf({ level }, probes).lines.map(line => {
      const parsed = JSON.parse(line);
      return [parsed.level, parsed.route, parsed.status];
    });
  const failed = [
    [30, '/healthz', 503],
    [30, '/readyz', 503],
  ];
  assert.deepEqual(seen('info'), failed);
  const [health, readiness] = failed;
  assert.deepEqual(seen('debug'), [[20, '/healthz', 200], health, [20, '/readyz', 200], readiness]);
});

test('an admin key in the line of a request is masked', () => {
  const id = AdminKeySecret.issue(VENDOR).reveal();
  const { lines } = linesOf({}, [{ ...PAGE, caller: { organizationId: 'org_1' as OrganizationId, id } }]);
  assert.match(String(lines[0]), /"caller_id":"\[admin key\]"/);
});

test('an admin key anywhere in a log line is masked before the line is written', () => {
  const { lines, log } = linesOf({}, []);
  const [one, other] = [AdminKeySecret.issue(VENDOR).reveal(), AdminKeySecret.issue(VENDOR).reveal()];
  log.error(`sent by ${one}`, { err: new Error('broken', { cause: new Error(`by ${other}`) }) });
  log.info('nothing to hide');
  const [sent, plain] = lines.map(line => JSON.parse(line));
  assert.equal(sent.msg, 'sent by [admin key]');
  assert.equal(sent.err.message, 'broken: by [admin key]');
  assert.deepEqual(Object.keys(plain), ['level', 'time', 'pid', 'hostname', 'msg']);
});

test('each line is byte for byte as pino writes it', () => {
  const { lines, log } = linesOf({ level: 'debug' }, []);
  const theirs: string[] = [];
  const base = { pid: process.pid, hostname: hostname() };
  const pino = pinoOfFastify({ level: 'debug', base }, { write: (line: string) => theirs.push(line) });
  const cause = new RangeError('c', { cause: new Error('d "é"') });
  const errors = [
    new TypeError('t', { cause }),
    new StoreUnavailable('gone', { cause: 'a text' }),
    Object.assign(new DatabaseError('m', 1, 'error'), { code: '42P01', detail: undefined }),
    new AggregateError([new Error('1'), new TypeError('2', { cause })], 'all'),
    plainError('thrown as a text'),
    placeOfError(Object.assign(new Error('secret'), { code: 'ECONNREFUSED' })),
    'not an error',
    null,
  ];
  for (const fields of [{ problems: ['a', 'b\n'] }, { code: undefined }, ...errors.map(err => ({ err }))])
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      log[level]('m "é" %s', fields);
      pino[level](fields, 'm "é" %s');
    }
  log.info('alone');
  pino.info('alone');
  const withoutTime = (line: string) => line.replace(/"time":\d+/, '');
  assert.deepEqual(lines.map(withoutTime), theirs.map(withoutTime));
});

test('of the own fields of an error a line has texts and numbers: others may be a whole request, or a circle', () => {
  const { lines, log } = linesOf({}, []);
  const err = new Error('broken');
  log.error('m', { err: Object.assign(err, { code: 'E_1', request: { secret: 1 }, itself: err }) });
  const { type, message, stack, ...own } = JSON.parse(String(lines[0])).err;
  assert.deepEqual(own, { code: 'E_1' });
});

test('a destination that throws fails nothing, and causes that are a circle have an end', () => {
  const error = new Error('round');
  error.cause = error;
  const write = () => {
    throw error;
  };
  linesOf({ destination: { write } }, []).log.error('broken', { err: error });
});
