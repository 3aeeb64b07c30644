import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { connectSecurely, makePair, type PairFiles, pairFiles } from '../../support/certificate.ts';
import { startKeyroster } from '../../support/command-line.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import type { Scope } from '../../support/scope.ts';

const REQUEST = 'GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n';

async function serve(scope: Scope, env: Record<string, string>) {
  const store = await embeddedStore(scope);
  return startKeyroster(scope, ['serve', '--port', '0'], { env: { ...store.env, ...env } });
}

async function serveSecurely(scope: Scope, files: PairFiles, host = '127.0.0.1') {
  const process = await serve(scope, { ...files.env, KEYROSTER_HOST: host, KEYROSTER_NO_CONSOLE: '1' });
  const [, port] = await process.line(new RegExp(`"msg":"listening on https://${host}:(\\d+)"`));
  return { process, port: Number(port) };
}

test('with TLS, serve listens on https, says until when the certificate is valid, and ends on SIGTERM with a connection open', async t => {
  const pair = makePair();
  const { process, port } = await serveSecurely(t, pairFiles(t, pair), '0.0.0.0');
  await process.line(/"level":30,.*"msg":"TLS with the certificate in \S+cert.pem, valid until 20\d\d-/);
  const socket = await connectSecurely(port, pair.cert);
  socket.write(REQUEST);
  await once(socket, 'data');
  const { exitCode, stdout, stderr } = await process.stop();
  socket.destroy();
  assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
  assert.doesNotMatch(stdout, /"level":[456]0/); // not a warning of a network without TLS either
});

test('on SIGHUP a new pair is used for new connections; a refused one is logged as an error and changes nothing', async t => {
  const first = makePair();
  const second = makePair({ notAfter: new Date('2199-12-31') });
  const files = pairFiles(t, first);
  const { process, port } = await serveSecurely(t, files);
  const open = await connectSecurely(port, first.cert);

  files.write({ cert: second.cert, key: first.key });
  process.signal('SIGHUP');
  await process.line(
    /"level":50,.*"msg":"the TLS certificate was not replaced: --tls-key: .* is not the key of/,
  );
  (await connectSecurely(port, first.cert)).destroy();

  files.write(second);
  process.signal('SIGHUP');
  await process.line(/"msg":"TLS with the certificate in .*, valid until 2199-12-31/);
  (await connectSecurely(port, second.cert)).destroy();
  open.end(REQUEST);
  assert.match(await text(open), /^HTTP\/1.1 200 /);
  assert.equal((await process.stop()).exitCode, 0);
});

test('a key that every user of the machine may read is used, with a warning', {
  skip: process.platform === 'win32' ? 'Windows has no such modes' : false,
}, async t => {
  const files = pairFiles(t);
  chmodSync(files.keyFile, 0o644);
  const { process } = await serveSecurely(t, files);
  await process.line(
    /"level":40,.*"msg":"--tls-key: every user of this machine may read \S+key.pem: let only/,
  );
});

test('without TLS, SIGHUP stops the service as SIGTERM does', async t => {
  const process = await serve(t, { KEYROSTER_NO_CONSOLE: '1' });
  await process.line(/"msg":"listening on/);
  const { exitCode, stdout } = await process.stop('SIGHUP');
  assert.equal(exitCode, 0);
  assert.match(stdout, /"msg":"stopping/);
  assert.doesNotMatch(stdout, /"level":[456]0/);
});

test('listening on a network without TLS is warned of once, unless a proxy is trusted', async t => {
  const WARNING = /"msg":"listening on a network without TLS: .*--tls-cert and --tls-key.*--trust-proxy"/;
  const logOf = async (env: Record<string, string>) => {
    const process = await serve(t, { KEYROSTER_HOST: '0.0.0.0', KEYROSTER_NO_CONSOLE: '1', ...env });
    await process.line(/"msg":"listening on/);
    return (await process.stop()).stdout;
  };
  const [open, behindProxy] = await Promise.all([logOf({}), logOf({ KEYROSTER_TRUST_PROXY: '10.0.0.0/8' })]);
  const warnings = open.split('\n').filter(line => line.includes('"level":40'));
  assert.equal(warnings.length, 1);
  assert.match(String(warnings[0]), WARNING);
  assert.doesNotMatch(behindProxy, /"level":40/);
});
