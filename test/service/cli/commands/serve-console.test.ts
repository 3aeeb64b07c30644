import assert from 'node:assert/strict';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildConsole } from '../../../../scripts/build-console.ts';
import { startKeyroster } from '../../../support/command-line.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { temporaryFolder } from '../../../support/scope.ts';

await buildConsole();
const LISTENING = /"msg":"listening on (http:[^"]+)"/;
const CONSOLE = /"msg":"the web console is at (http:[^"]+)"/;

test('serve serves the web console and logs its address', async t => {
  const { env } = await embeddedStore(t);
  const serve = startKeyroster(t, ['serve', '--port', '0'], { env });
  const [, address = ''] = await serve.line(CONSOLE);
  const answer = await fetch(address);
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /<title>Keyroster<\/title>/);
});

test('--no-console turns the web console off', async t => {
  const { env } = await embeddedStore(t);
  const serve = startKeyroster(t, ['serve', '--port', '0', '--no-console'], { env });
  const [, address] = await serve.line(LISTENING);
  assert.equal((await fetch(`${address}/console/`)).status, 404);
  assert.doesNotMatch((await serve.stop()).stdout, /console is at/);
});

test('without a built console serve logs one warning and serves the API alone', async t => {
  const { env } = await embeddedStore(t);
  const folder = temporaryFolder(t);
  const root = join(import.meta.dirname, '../../../..');
  for (const name of ['src', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const bin = join(folder, 'src/service/cli/bin.ts');
  const serve = startKeyroster(t, ['serve', '--port', '0'], { env, bin });
  const [, address] = await serve.line(LISTENING);
  await serve.line(
    /"level":40.*"msg":"the web console is not built: serving without it; .*npm run console.* builds it"/,
  );
  assert.equal((await fetch(`${address}/console/`)).status, 404);
});
