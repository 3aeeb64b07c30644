import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { startKeyroster } from '../../support/command-line.ts';
import { type EmbeddedStore, embeddedStore } from '../../support/embedded-store.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';
import { type Scope, suiteScope } from '../../support/scope.ts';

const skip = process.platform === 'win32' && 'Windows has no Unix sockets';

describe('serve --host unix:/path', { skip }, () => {
  const scope = suiteScope();
  let store: EmbeddedStore;
  let path: string;
  before(async () => {
    store = await embeddedStore(scope);
    path = join(store.folder, 'serve.sock');
  });
  const serve = async (t: Scope, env: Record<string, string> = {}) => {
    const service = startKeyroster(t, ['serve', '--host', `unix:${path}`], {
      env: { ...store.env, ...env },
    });
    await service.line(new RegExp(`"msg":"listening on unix:${path}"`));
    return service;
  };
  const status = async (headers: Record<string, string> = {}) => {
    const sent = { 'x-api-key': store.secret, 'vendor-version': '2023-06-01', ...headers };
    const call = request({ socketPath: path, path: LIST_API_KEYS_PATH, headers: sent, agent: false });
    const [answer]: IncomingMessage[] = await once(call.end(), 'response');
    answer?.resume();
    return answer?.statusCode;
  };

  test('serves there, lets its group connect, and removes the socket when it stops', async t => {
    const service = await serve(t);
    assert.equal(statSync(path).mode & 0o777, 0o660);
    assert.equal(await status(), 200);
    assert.doesNotMatch(service.output(), /without TLS/);
    assert.equal((await service.stop()).exitCode, 0);
    assert(!existsSync(path));
  });

  test('leaves a socket on which a process listens, and replaces one that a killed process has left', async t => {
    const service = await serve(t);
    const refused = await runCommand(['serve', '--host', `unix:${path}`], { env: store.env });
    assertFailed(
      refused,
      1,
      /can't listen on unix:.*: another process listens there: choose another with --host/,
    );
    assert.equal(await status(), 200);
    await service.stop('SIGKILL');
    assert(existsSync(path));
    const next = await serve(t, { KEYROSTER_WORKERS: '2' });
    await next.line(/"msg":"worker 2 serves/);
    for (let times = 0; times < 4; times++) assert.equal(await status(), 200);
    await next.stop('SIGKILL');
  });

  test('takes whoever connects for 127.0.0.1', async t => {
    const env = {
      KEYROSTER_RATE_LIMIT: '1',
      KEYROSTER_TRUST_PROXY: '127.0.0.1',
      KEYROSTER_WORKERS: '2',
    };
    await serve(t, env);
    const fail = (address: string) => status({ 'x-api-key': 'wrong', 'x-forwarded-for': address });
    assert.equal(await fail('203.0.113.1'), 401);
    assert.equal(await fail('203.0.113.2'), 401);
    assert.equal(await fail('203.0.113.2'), 429);
  });

  test('leaves another file, and says what is wrong with a path', async () => {
    const file = join(store.folder, 'file');
    writeFileSync(file, 'mine');
    const wrong: [host: string, code: 1 | 2, message: RegExp][] = [
      [`unix:${file}`, 1, /can't listen on unix:.*: there is a file of that name which is no socket/],
      [
        `unix:${store.folder}/none/serve.sock`,
        1,
        /its folder must be there, and this user must be able to write/,
      ],
      ['/run/serve.sock', 2, /--host: must be .* unix: and the absolute path of a socket/],
      ['unix:serve.sock', 2, /--host: must be .* unix: and the absolute path of a socket/],
      [`unix:/${'x'.repeat(103)}`, 2, /--host: must be .*, of at most 103 bytes/],
    ];
    for (const [host, code, message] of wrong)
      assertFailed(await runCommand(['serve', '--host', host], { env: store.env }), code, message);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
  });
});
