import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { buildConsole } from '../../../scripts/build-console.ts';
import { startKeyroster } from '../../support/command-line.ts';
import { runCommand } from '../../support/run-many-commands.ts';
import { temporaryFolder } from '../../support/scope.ts';
import { fetchJson } from '../../support/service.ts';

const CURL = /^ *curl '([^']+)' -H '([^:]+): ([^']+)' -H '([^:]+): ([^']+)'$/;

test('demo says that the default port is taken, and takes a free one', async t => {
  const holder = createServer().listen(8080, '127.0.0.1');
  t.after(() => holder.close());
  await once(holder, 'listening').catch(() => {}); // whoever holds it, it is taken
  const demo = startKeyroster(t, ['demo']);
  const [, address = ''] = await demo.line(/^Keyroster lists \d+ example API keys at (http:\S+)$/);
  assert.notEqual(new URL(address).port, '8080');
  const { stderr } = await demo.stop('SIGHUP');
  assert.equal(stderr, 'port 8080 is taken: the demo takes a free one\n');
});

test('demo prints an admin key, its address, lines that work as pasted and the console, and deletes its folder', async t => {
  await buildConsole();
  const folder = temporaryFolder(t);
  const demo = startKeyroster(t, ['demo', '--port', '0', '--vendor', 'acme'], {
    env: { TMPDIR: folder, TEMP: folder, TMP: folder },
  });
  const [, count, address = ''] = await demo.line(/^Keyroster lists (\d+) example API keys at (http:\S+)$/);
  const [, secret = ''] = await demo.line(/^Admin key: (acme-admin01-\w+)$/);
  const [, url = '', firstName = '', firstValue = '', secondName = '', secondValue = ''] =
    await demo.line(CURL);
  assert.equal(new URL(url).origin, address);
  assert.deepEqual([firstValue, secondName], [secret, 'acme-version']);

  const [, variables = ''] = await demo.line(/^ *export (KEYROSTER_BASE_URL=\S+ KEYROSTER_ADMIN_KEY=.+)$/);
  const env = Object.fromEntries(variables.split(' ').map(each => each.split('=')));
  const listed = await runCommand(['list', '--limit', '2'], { env });
  assert.deepEqual([listed.exitCode, listed.stdout.split('\n').length], [0, 3]);

  const { status, body } = await fetchJson(url, { [firstName]: firstValue, [secondName]: secondValue });
  assert.equal(status, 200);
  assert.equal(body.data.length, 2);
  assert.equal(body.has_more, true);
  assert.ok(Number(count) > 1000);
  const [, page = ''] = await demo.line(/^Console: (http:\S+\/console\/)$/);
  assert.equal((await fetch(page)).status, 200);

  assert.match(readdirSync(folder).join(), /^keyroster-demo-\w+$/);
  const { exitCode, stderr } = await demo.stop('SIGHUP');
  assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
  assert.deepEqual(readdirSync(folder), []);
});
