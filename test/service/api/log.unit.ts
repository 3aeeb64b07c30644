import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { DatabaseError } from 'pg';
import { type Answer, newAnswer } from '../../../src/service/api/answer.ts';
import { placeOfError, plainError } from '../../../src/service/api/foreign-errors.ts';
import { Log, type LogSettings, Observer } from '../../../src/service/api/log.ts';
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
  for (const route of ['/healthz', '/readyz']) {
    const { lines } = linesOf({ level: 'debug' }, [answerOf({ route }), answerOf({ route, status: 503 })]);
    const seen = lines.map(line => JSON.parse(line)).map(({ level, status }) => [level, status].join());
    assert.deepEqual(seen, ['20,200', '30,503'], route);
  }
});

test('an admin key in the line of a request is masked', () => {
  const id = AdminKeySecret.issue(VENDOR).reveal();
  const { lines } = linesOf({}, [{ ...PAGE, caller: { organizationId: 'org_1' as OrganizationId, id } }]);
  assert.match(String(lines[0]), /"caller_id":"\[admin key\]"/);
});

test('an admin key behind an escaped character, and one in the name of a field, are masked in a line that stays JSON', () => {
  const { lines, log } = linesOf({}, []);
  const key = AdminKeySecret.issue(VENDOR).reveal();
  for (const before of ['\n', '\t', '\r', '\b', '\u0001', '"', '\\', 'é']) {
    const masked = `x${before}[admin key] "y"`;
    const text = `x${before}${key} "y"`;
    log.error(text, { text, [text]: 1, err: Object.assign(new Error(text), { stack: text, [text]: text }) });
    const { msg, text: field, err, ...others } = JSON.parse(String(lines.pop()));
    assert.deepEqual([msg, field, others[masked]], [masked, masked, 1]);
    assert.deepEqual(err, { type: 'Error', message: masked, stack: masked, [masked]: masked });
  }
});

/** What no code of ours throws, and another's may. */
function hostileErrors(): Record<string, unknown> {
  const fails = () => {
    throw new Error('hostile');
  };
  const { proxy, revoke } = Proxy.revocable(new Error('revoked'), {});
  revoke();
  const circle: unknown[] = [];
  circle.push(new AggregateError(circle, 'a circle'), circle[0]);
  const wide = new AggregateError([], 'wide');
  wide.errors = Array.from({ length: 20 }, () => wide);
  let deep = new AggregateError([], 'innermost');
  for (let depth = 0; depth < 20_000; depth++) deep = new AggregateError([deep], 'deep', { cause: deep });
  const cyclic: { self?: object } = {};
  cyclic.self = cyclic;
  return {
    getter: Object.defineProperty(new Error('told'), 'own', { enumerable: true, get: fails }),
    cause: Object.defineProperty(new Error('told'), 'cause', { get: fails }),
    errors: Object.defineProperty(new Error('told'), 'errors', { get: fails }),
    message: Object.defineProperty(new Error('x'), 'message', { get: fails }),
    symbol: Object.assign(new Error('x'), { message: Symbol('told') }),
    'toJSON that throws': Object.assign(new Error('told'), { toJSON: fails }),
    'aggregate of values': new AggregateError([1n, cyclic, proxy, Symbol('s'), 'text'], 'told'),
    'an object that contains itself': cyclic,
    'a symbol': Symbol('thrown'),
    'a revoked proxy': proxy,
    circle: circle[0],
    wide,
    deep,
  };
}

for (const [what, err] of Object.entries(hostileErrors()))
  test(`an error that is hard to read still has its line: ${what}`, () => {
    const { lines, log } = linesOf({}, []);
    log.error('m', { request_id: 'req_1', err });
    const line = JSON.parse(String(lines[0]));
    assert.deepEqual([line.request_id, line.msg], ['req_1', 'm']);
    const untold = ['message', 'an object that contains itself', 'a revoked proxy', 'a symbol'];
    if (!untold.includes(what)) assert.match(line.err.message, /told|a circle|wide|deep/);
    assert.ok(String(lines[0]).length < 1_000_000);
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

test('of an error that holds others a line has the messages of the first 20', () => {
  const { lines, log } = linesOf({}, []);
  const errors = Array.from({ length: 100 }, (_, index) => new Error(`no ${index}`));
  log.error('m', { err: new AggregateError(errors, 'all') });
  const { aggregateErrors } = JSON.parse(String(lines[0])).err;
  assert.deepEqual([aggregateErrors.length, aggregateErrors[19]], [20, 'no 19']);
});

test('an error is logged as one, whatever its toJSON returns, and of its own fields a line has texts and numbers: others may be a whole request, or a circle', () => {
  const { lines, log } = linesOf({}, []);
  const err = new Error('broken');
  const toJSON = () => ({ secret: 1 });
  log.error('m', { err: Object.assign(err, { code: 'E_1', request: { secret: 1 }, itself: err, toJSON }) });
  assert.deepEqual(JSON.parse(String(lines[0])).err, {
    ...{ type: 'Error', message: 'broken', stack: err.stack, code: 'E_1' },
  });
});

test('a destination that throws fails nothing, and causes that are a circle have an end', () => {
  const error = new Error('round');
  error.cause = error;
  const write = () => {
    throw error;
  };
  linesOf({ destination: { write } }, []).log.error('broken', { err: error });
});
