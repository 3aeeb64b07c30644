/** Why nothing comes from a service is told on standard error. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Waits } from '../../../../src/admin/cli/connection/waits.ts';
import { KeyrosterError } from '../../../../src/client/errors.ts';
import { ProgressBar } from '../../../../src/shared/command/terminal/progress-bar.ts';
import { startAnsweringService } from '../../../support/answering-service.ts';
import { BINS, spawnOptions, startKeyroster } from '../../../support/command-line.ts';
import { exampleRecord } from '../../../support/example-record.ts';
import { runCommand } from '../../../support/run-many-commands.ts';
import { type Scope, suiteScope } from '../../../support/scope.ts';
import { numberedKeys, startSeededService } from '../../../support/seeded-service.ts';
import { lineOnTerminal, noTerminal, shellCommand } from '../../../support/terminal.ts';

const limited = new KeyrosterError({ type: 'rate_limit_error', message: 'slow down', status: 429 });
const late = new KeyrosterError({ type: 'timeout_error', message: 'no complete answer within 10 s' });
const refused = new KeyrosterError({ type: 'network_error', message: 'no complete answer: ECONNREFUSED' });

/** What is written to standard error, and a function that moves the clock. */
function onStandardError(t: TestContext) {
  const written: string[] = [];
  let now = 0;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => now);
  t.mock.method(process.stderr, 'write', (text: string) => written.push(text) > 0);
  const pass = (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  /** What the last line shows. */
  const shows = () => written.at(-1)?.replace('\r\x1b[K', '');
  return { written, pass, shows };
}

const route = { address: 'https://service.example', proxy: undefined };

test('on a terminal a wait is told in the place of the bar, which is erased with the answer', t => {
  const { written, pass, shows } = onStandardError(t);
  const waits = new Waits(route, new ProgressBar(true));
  waits.begin();
  assert.equal(shows(), undefined);
  pass(3_000);
  assert.equal(shows(), 'waiting for an answer');
  waits.onRetry({ error: limited, waitMs: 41_000 });
  assert.equal(shows(), 'rate limited, continuing in 41 s');
  waits.end();
  assert.equal(written.at(-1), '\r\x1b[K');
  for (const text of written) assert(text.startsWith('\r\x1b[K') && !text.includes('\n'), text);
});

test('elsewhere a timeout and each wait of a second and more have a line, and a short wait has none', t => {
  const { written, pass } = onStandardError(t);
  const waits = new Waits(route, new ProgressBar(false));
  waits.begin();
  pass(9_000);
  waits.onRetry({ error: late, waitMs: 100 });
  waits.onRetry({ error: refused, waitMs: 999 });
  waits.onRetry({ error: refused, waitMs: 1_900 });
  waits.onRetry({ error: limited, waitMs: 41_000 });
  pass(60_000);
  waits.end();
  assert.deepEqual(written, [
    'https://service.example: no complete answer within 10 s, trying again\n',
    'https://service.example: no complete answer: ECONNREFUSED, continuing in 2 s\n',
    'rate limited, continuing in 41 s\n',
  ]);
});

test('who says how long to wait is told nothing meanwhile, and is given the last error then, counted anew for each answer', t => {
  const { written, pass } = onStandardError(t);
  const waits = new Waits(route, new ProgressBar(false), 60_000);
  for (const _page of [1, 2]) {
    waits.begin();
    pass(50_000);
    waits.onRetry({ error: refused, waitMs: 8_000 });
    assert.equal(waits.signal.aborted, false);
  }
  waits.onRetry({ error: late, waitMs: 12_000 });
  assert.deepEqual([waits.signal.reason, written], [late, []]);
});

const KEYS = [1, 2, 3, 4, 5, 6].map(id => ({
  ...exampleRecord,
  id: `k${id}`,
  created_at: `2026-01-01T00:00:${60 - id}.000000Z`,
}));

type Reply = (response: ServerResponse) => unknown;
const json = (response: ServerResponse, status: number, body: object, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const errorBody = (type: string) => ({ error: { type, message: 'a reason' }, request_id: 'req_1' });
const fails: Reply = response => json(response, 500, errorBody('api_error'));
const hangs: Reply = () => {};

/** A service of six keys that gives the next of these replies to each request, and pages after them. `null` is a page. */
function startFailing(scope: Scope, replies: (Reply | null)[]): Promise<string> {
  return startAnsweringService(scope, (request, response) => {
    const reply = replies.shift() ?? null;
    if (reply !== null) return reply(response);
    const query = new URL(request.url ?? '', 'http://stub').searchParams;
    const begin = KEYS.findIndex(({ id }) => id === query.get('after_id')) + 1;
    const data = KEYS.slice(begin, begin + Number(query.get('limit')));
    const ids = { first_id: data.at(0)?.id, last_id: data.at(-1)?.id };
    json(response, 200, { data, ...ids, has_more: data.at(-1) !== KEYS.at(-1) });
  });
}

const envOf = (url: string) => ({ KEYROSTER_BASE_URL: url, KEYROSTER_ADMIN_KEY: 'a-key-of-the-test' });

describe('a walk', { concurrency: 2 }, () => {
  const scope = suiteScope();
  const list = (url: string, ...args: string[]) =>
    runCommand(['list', '--all', '--limit', '2', '--format', 'jsonl', ...args], { env: envOf(url) });
  const ids = (stdout: string) =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line).id);

  test('whose service hangs says so after --timeout, in every command', async () => {
    for (const args of [['list', '--all'], ['report']]) {
      const url = await startFailing(scope, [hangs]);
      const { exitCode, stderr } = await runCommand([...args, '--timeout', '1s'], { env: envOf(url) });
      assert.deepEqual([exitCode, stderr], [0, `no complete answer from ${url} within 1 s, trying again\n`]);
    }
  });

  test('that fails says how many records are written and how to continue, and then nothing is missing', async () => {
    const failing = await startFailing(scope, [null, null, fails]);
    const begun = await list(failing);
    assert.deepEqual(
      [begun.exitCode, begun.stderr],
      [
        1,
        `4 records written; continue with --after k4\nkeyroster-admin: ${failing}: a reason (api_error, req_1)\n`,
      ],
    );
    const rest = await list(failing, '--after', 'k4');
    assert.deepEqual([...ids(begun.stdout), ...ids(rest.stdout)], ['k1', 'k2', 'k3', 'k4', 'k5', 'k6']);
  });

  test('that would have to wait for longer than a minute ends, and says for how long', async () => {
    const later: Reply = response =>
      json(response, 429, errorBody('rate_limit_error'), { 'retry-after': '1800' });
    const { exitCode, stderr } = await list(await startFailing(scope, [later]));
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      /^keyroster-admin: http:\/\/127\.0\.0\.1:\d+: a reason \(rate_limit_error, req_1\); try again in 1,800 s\n$/,
    );
  });

  test("that fails before the first page, or as one JSON document, can't be continued", async () => {
    const atOnce = await list(await startFailing(scope, [fails]));
    const document = await runCommand(['list', '--all', '--limit', '2', '--format', 'json'], {
      env: envOf(await startFailing(scope, [null, fails])),
    });
    for (const { exitCode, stderr } of [atOnce, document])
      assert.deepEqual(
        [exitCode, stderr.replace(/:\d+:/, '')],
        [1, 'keyroster-admin: http://127.0.0.1 a reason (api_error, req_1)\n'],
      );
  });

  test('that a signal ends says how to continue, and ends by the signal', async t => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const { promise: waiting, resolve: isWaiting } = Promise.withResolvers<void>();
      const url = await startFailing(scope, [null, () => isWaiting()]);
      const args = ['list', '--all', '--limit', '2', '--format', 'csv'];
      const running = startKeyroster(t, args, { env: envOf(url) });
      await waiting;
      const { exitCode, stderr } = await running.stop(signal);
      assert.deepEqual([exitCode, stderr], [null, '2 records written; continue with --after k2\n']);
    }
  });

  test('that a signal ends while its reader is slow tells exactly what is written, and of a cut record', async t => {
    const keys = numberedKeys(3_000);
    const { service, secret } = await startSeededService(scope, keys);
    const args = [BINS['keyroster-admin'], 'list', '--all', '--limit', '500', '--format', 'jsonl'];
    const env = { ...spawnOptions({}).env, KEYROSTER_BASE_URL: service.url, KEYROSTER_ADMIN_KEY: secret };
    const child = spawn(process.execPath, args, { env });
    t.after(() => child.kill('SIGKILL'));
    const keep = () => {}; // else Node drops what nobody has read when the process ends
    child.stdout.on('readable', keep);
    await once(child.stdout, 'readable');
    await setTimeout(1_000); // nobody reads: the pipe is full
    child.kill('SIGINT');
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    const stdout = await text(child.stdout.off('readable', keep));
    const [, count = '', last] =
      /^([\d,]+) records written; continue with --after (\w+)\n/.exec(stderr) ?? [];
    const lines = stdout.split('\n');
    const written = Number(count.replaceAll(',', ''));
    assert.ok(written > 0, stderr);
    assert.equal(JSON.parse(lines[written - 1] ?? '').id, last);
    const isWhole = lines.length === written + 1 && lines.at(-1) === '';
    assert.ok(
      isWhole || /may have a part of more records behind them: cut it off first\n/.test(stderr),
      stderr,
    );
  });

  describe('on a terminal', { skip: noTerminal }, () => {
    test('that Ctrl-C ends leaves a clean line, how to continue, and the exit code 130', async () => {
      const url = await startFailing(scope, [null, hangs]);
      const command = shellCommand(['list', '--all', '--limit', '2', '--format', 'jsonl']);
      const line = `trap : INT; ${command} > /dev/null; echo "exit code $?"`;
      const typed = { after: /waiting for an answer/, text: '\x03' };
      const shown = await lineOnTerminal(line, envOf(url), { typed });
      const end = '\r\x1b[K2 records written; continue with --after k2\r\nexit code 130\r\n';
      assert(shown.endsWith(end), JSON.stringify(shown));
    });
  });
});
