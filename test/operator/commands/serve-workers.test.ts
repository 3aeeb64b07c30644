import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { connect } from 'node:net';
import { before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { connectSecurely, makePair, pairFiles } from '../../support/certificate.ts';
import { fromJsonLines } from '../../support/import-file.ts';
import { KeepAliveClient } from '../../support/keep-alive-client.ts';
import { load, statusesOf } from '../../support/load.ts';
import { seriesOf } from '../../support/metrics-text.ts';
import { listRequest } from '../../support/raw-corpus.ts';
import { suiteScope } from '../../support/scope.ts';
import type { Tenant } from '../../support/service-process.ts';
import { until } from '../../support/until.ts';
import { isRunning, startWorkers, type WorkersService } from '../../support/worker-processes.ts';

const headersOf = ({ secret }: Tenant) => ({ 'x-api-key': secret, 'vendor-version': '2023-06-01' });

describe('two workers under load', () => {
  const scope = suiteScope();
  let service: WorkersService;
  let tenant: Tenant;
  before(async () => {
    service = await startWorkers(scope, { tenants: 1, env: { KEYROSTER_METRICS_PORT: '0' } });
    tenant = service.tenants[0] as Tenant;
  });

  const pidOf = (requestId: unknown) =>
    Number(new RegExp(`"pid":(\\d+),.*"request_id":"${requestId}"`).exec(service.log())?.[1]);
  /** Enough that each worker always has requests under way; as fast as they are answered is left to the soaks. */
  const loadFor = (seconds: number, requestsEach?: number) =>
    load(scope, {
      port: service.port,
      requests: [listRequest(tenant, 20)],
      connections: requestsEach === undefined ? 8 : 4,
      seconds,
      rate: requestsEach === undefined ? 600 : 200,
      ...(requestsEach !== undefined && { requestsEach }),
    });

  test('take connections in turn', async t => {
    const pids: number[] = [];
    for (let number = 0; number < 6; number++) {
      const client = new KeepAliveClient(service.port, 1);
      t.after(() => client.close());
      const { headers } = await client.get(LIST_API_KEYS_PATH, headersOf(tenant));
      await until('the request is logged', () => service.log().includes(String(headers['request-id'])));
      pids.push(pidOf(headers['request-id']));
    }
    for (const pid of service.pids().values()) assert.equal(pids.filter(each => each === pid).length, 3);
  });

  test('lose only the connections of one that is killed, and another takes its place', async () => {
    const pid = Number(service.pids().get(1));
    const long = loadFor(1.5);
    const short = loadFor(1.5, 3);
    await wait(500);
    process.kill(pid, 'SIGKILL');
    const [kept, opened] = [await long, await short];
    // At the most every connection to that worker had a request under way.
    assert.ok(kept.unanswered <= 7, `${kept.unanswered} of 8`);
    assert.ok(opened.unanswered + opened.unansweredOnNew <= 8, JSON.stringify({ ...opened, seconds: 0 }));
    for (const { unfinished, refused, seconds } of [kept, opened]) {
      assert.deepEqual({ unfinished, refused }, { unfinished: 0, refused: 0 });
      for (const status of Object.keys(statusesOf(seconds)))
        assert.ok(['200', '503'].includes(status), status);
    }
    await until('worker 1 serves again', () => service.served(1) === 2);
    const [line = ''] = service.warnings();
    assert.match(line, new RegExp(`"msg":"worker 1, PID ${pid}, ended by SIGKILL; another starts in 0.1 s"`));
    assert.notEqual(service.pids().get(1), pid);
  });

  test('answer every request when one of them is told to stop, and another takes its place', async () => {
    const all = loadFor(1.5);
    await wait(500);
    process.kill(Number(service.pids().get(2)), 'SIGTERM');
    const { unanswered, unansweredOnNew, unfinished, refused } = await all;
    assert.deepEqual(
      { unanswered, unansweredOnNew, unfinished, refused },
      { unanswered: 0, unansweredOnNew: 0, unfinished: 0, refused: 0 },
    );
    await until('worker 2 serves again', () => service.served(2) === 2);
  });

  test('have one page of metrics, on which each series says whose it is', async () => {
    const [, url = ''] = /"msg":"metrics at (http:[^"]+)"/.exec(service.log()) ?? [];
    const series = seriesOf(await (await fetch(url)).text());
    const workers = ['supervisor', '1', '2'];
    for (const worker of workers) {
      const memory = `process_resident_memory_bytes{worker="${worker}"}`;
      assert.ok(Number(series.get(memory)) > 2 ** 20, memory);
    }
    for (const name of series.keys()) assert.match(name, /\bworker="(supervisor|1|2)"/);
    for (const worker of ['1', '2'])
      assert.equal(series.get(`keyroster_worker_restarts_total{worker="${worker}"}`), 1);
  });

  test('answer every request when all are told to stop, and have whole log lines', async () => {
    const loads = [loadFor(1.5), loadFor(1.5, 3)];
    await wait(500);
    service.signal('SIGTERM');
    assert.deepEqual(await service.ended(), { exitCode: 0, stderr: '' });
    for (const { unanswered, unansweredOnNew, unfinished } of await Promise.all(loads))
      assert.deepEqual(
        { unanswered, unansweredOnNew, unfinished },
        { unanswered: 0, unansweredOnNew: 0, unfinished: 0 },
      );
    for (const pid of service.pids().values()) assert.ok(!isRunning(pid));
    const lines = fromJsonLines(service.log());
    assert.ok(lines.every(({ pid, msg }) => typeof pid === 'number' && typeof msg === 'string'));
  });
});

test('each worker counts for the rate limit by itself', async t => {
  const limit = 3;
  const { port, tenants } = await startWorkers(t, {
    tenants: 1,
    env: { KEYROSTER_RATE_LIMIT: String(limit) },
  });
  for (const _worker of [1, 2]) {
    const client = new KeepAliveClient(port, 1);
    t.after(() => client.close());
    for (const status of [200, 200, 200, 429]) {
      const answer = await client.get(LIST_API_KEYS_PATH, headersOf(tenants[0] as Tenant));
      assert.equal(answer.status, status);
    }
  }
});

describe('two workers', () => {
  const scope = suiteScope();
  let service: WorkersService;
  before(async () => {
    service = await startWorkers(scope, { tenants: 1 });
  });

  test('are tried again later and later while one can not start, until it can', async () => {
    const file = service.store.url.replace('sqlite:', '');
    renameSync(file, `${file}.away`);
    process.kill(Number(service.pids().get(2)), 'SIGKILL');
    await until('worker 2 has ended again', () =>
      service.warnings().some(line => line.includes('another starts in 0.4 s')),
    );
    renameSync(`${file}.away`, file);
    await until('worker 2 serves again', () => service.served(2) === 2);
    const ends = service
      .warnings()
      .flatMap(line => /worker 2, PID \d+, (ended .*)"/.exec(line)?.slice(1) ?? [])
      .slice(0, 3);
    assert.deepEqual(ends, [
      'ended by SIGKILL; another starts in 0.1 s',
      'ended with exit code 1; another starts in 0.2 s',
      'ended with exit code 1; another starts in 0.4 s',
    ]);
  });

  test('answer what is under way and end, and leave the port free, when their supervisor is killed', async () => {
    const { port, pids, tenants } = service;
    const all = load(scope, {
      port,
      requests: [listRequest(tenants[0] as Tenant, 20)],
      connections: 4,
      seconds: 2,
    });
    await wait(600);
    service.signal('SIGKILL');
    const { unanswered, unfinished } = await all;
    assert.deepEqual({ unanswered, unfinished }, { unanswered: 0, unfinished: 0 });
    await until('no worker runs', () => ![...pids().values()].some(isRunning));
    const [error] = await once(connect(port, '127.0.0.1'), 'error');
    assert.equal((error as NodeJS.ErrnoException).code, 'ECONNREFUSED');
    assert.doesNotMatch((await service.ended()).stderr, /\n\s+at |Unhandled/); // no stack of an error
  });
});

test('two workers with TLS both read the files again on SIGHUP', async t => {
  const first = makePair();
  const second = makePair({ notAfter: new Date('2199-12-31') });
  const files = pairFiles(t, first);
  const service = await startWorkers(t, { tenants: 1, env: files.env });
  (await connectSecurely(service.port, first.cert)).destroy();
  files.write(second);
  service.signal('SIGHUP');
  const haveIt = () => service.log().split('valid until 2199-12-31').length === 3;
  await until('both workers have the certificate', haveIt);
  for (let connection = 0; connection < 4; connection++)
    (await connectSecurely(service.port, second.cert)).destroy();
});

test('a worker that hangs is killed, and another takes its place; it does not keep a stop from its end', async t => {
  const service = await startWorkers(t, { tenants: 1 });
  const pid = Number(service.pids().get(2));
  process.kill(pid, 'SIGSTOP');
  await until('worker 2 serves again', () => service.served(2) === 2);
  assert.ok(service.log().includes('"msg":"worker 2 has hung for 5 s: it is killed"'));
  assert.ok(!isRunning(pid));
  assert.equal(service.served(1), 1, 'worker 1, which answers');
  process.kill(Number(service.pids().get(2)), 'SIGSTOP');
  service.signal('SIGTERM');
  assert.equal((await service.ended()).exitCode, 1);
  await until('no worker runs', () => ![...service.pids().values()].some(isRunning));
});

test('a worker that hangs before it serves does not keep a stop from its end', async t => {
  const service = await startWorkers(t, { tenants: 1 });
  const known = [...service.pids().values()];
  process.kill(Number(service.pids().get(2)), 'SIGKILL');
  const starting = () =>
    execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .split('\n')
      .map(line => line.trim().split(/ +/).map(Number))
      .find(([pid, parent]) => parent === service.pid && !known.includes(Number(pid)))?.[0];
  await until('another starts', () => starting() !== undefined);
  const pid = Number(starting());
  process.kill(pid, 'SIGSTOP');
  service.signal('SIGTERM');
  await service.ended();
  assert.ok(!isRunning(pid));
});
