import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog, type LogSettings } from '../../src/api/log.ts';
import { type RequestLine, RequestLines } from '../../src/api/request-lines.ts';
import { AdminKeySecret } from '../../src/roster/admin-key-secret.ts';
import { VENDOR } from '../support/roster.ts';

const PAGE: RequestLine = {
  requestId: 'req_1',
  organizationId: 'org_1',
  caller: ['caller_id', 'Łukasz "7" \\'],
  rows: 20,
  method: 'GET',
  route: '/v1/organizations/api_keys',
  status: 200,
  durationMs: 6.584,
};

/** The lines that these settings give for requests. */
function linesOf(settings: Partial<LogSettings>, requests: readonly RequestLine[]) {
  const lines: string[] = [];
  const whole: LogSettings = { level: 'info', destination: { write: line => lines.push(line) }, ...settings };
  const log = createLog(whole);
  const requestLines = new RequestLines(log, whole);
  for (const request of requests) requestLines.add(request);
  return { lines, log };
}

test('the line of a request is as any other of the log, field by field', () => {
  const { lines, log } = linesOf({}, [PAGE]);
  const { requestId, organizationId, caller, durationMs, ...rest } = PAGE;
  const { rows, method, route, status } = rest;
  const fields = { request_id: requestId, organization_id: organizationId, caller_id: caller?.[1], rows };
  log.info({ ...fields, method, route, status, duration_ms: durationMs }, 'request');
  const [ours, pinos] = lines.map(line => line.replace(/"time":\d+/, '"time":0'));
  assert.equal(ours, pinos);
  assert.ok(Math.abs(JSON.parse(String(lines[0])).time - Date.now()) < 60_000);
});

test('a request of which little is known has those fields only', () => {
  const { lines } = linesOf({}, [{ requestId: 'req_1', method: null, route: null, status: 400 }]);
  const { level, time, pid, hostname, ...fields } = JSON.parse(String(lines[0]));
  assert.deepEqual(fields, { request_id: 'req_1', method: null, route: null, status: 400, msg: 'request' });
});

test('no request has a line when only warnings are logged; another line has', () => {
  const { lines, log } = linesOf({ level: 'warn' }, [PAGE, { ...PAGE, status: 500 }]);
  assert.deepEqual(lines, []);
  log.error('broken');
  assert.equal(lines.length, 1);
});

test('a health probe has a line at level debug, and one that failed at level info', () => {
  const probes = ['/healthz', '/readyz'].flatMap(route => [
    { requestId: 'req_1', method: 'GET', route, status: 200 },
    { requestId: 'req_2', method: 'GET', route, status: 503 },
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
  const secret = AdminKeySecret.issue(VENDOR).reveal();
  const { lines } = linesOf({}, [{ ...PAGE, caller: ['caller_id', secret] }]);
  assert.match(String(lines[0]), /"caller_id":"\[admin key\]"/);
});
