/** 0.0.0.0 stands for another host: it isn't a loopback address, and yet reaches the services of the tests. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Tls } from '../../../../src/service/server/tls.ts';
import { makePair, pairFiles } from '../../../support/certificate.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { VENDOR } from '../../../support/roster.ts';
import { runManyCommands } from '../../../support/run-many-commands.ts';
import { suiteScope } from '../../../support/scope.ts';
import { startService, stubReader } from '../../../support/service.ts';

const WARNING = "the admin key and the roster aren't encrypted on the way: use https\n";

/** What `list` says of the stub. */
const EMPTY = 'the roster has no keys\n';

describe('a command that sends an admin key', () => {
  const scope = suiteScope();

  async function runs(port: number, base: string, secret: string, certFile = '') {
    const { env: database } = await embeddedStore(scope);
    const url = `${base}:${port}`;
    const env = {
      ...database,
      KEYROSTER_BASE_URL: url,
      KEYROSTER_ADMIN_KEY: secret,
      NODE_EXTRA_CA_CERTS: certFile,
    };
    const commands = [
      ['list', '--format', 'json'],
      ['report', '--format', 'json'],
    ];
    const lines = commands.map(args => ({ args }));
    return (await runManyCommands(lines, { env })).finished;
  }

  test('over plain HTTP to another host says so in one line on standard error', async () => {
    const { reader, secret } = stubReader();
    const { port, close } = await startService(reader, VENDOR);
    scope.after(close);
    const elsewhere = await runs(port, 'http://0.0.0.0', secret);
    assert.deepEqual(
      elsewhere.map(({ exitCode, stderr }) => [exitCode, stderr.replace(EMPTY, '')]),
      ['--base-url', '--base-url'].map(option => [0, `warning: ${option}: ${WARNING}`]),
    );
    for (const { stdout } of elsewhere) JSON.parse(stdout);
  });

  test('over HTTPS to another host says nothing', async () => {
    const pair = makePair();
    const { reader, secret } = stubReader();
    const { port, close } = await startService(reader, VENDOR, { tls: new Tls(pair) });
    scope.after(close);
    const results = await runs(port, 'https://0.0.0.0', secret, pairFiles(scope, pair).certFile);
    assert.deepEqual(
      results.map(({ exitCode, stderr }) => [exitCode, stderr.replace(EMPTY, '')]),
      results.map(() => [0, '']),
    );
  });
});
