import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { buildConsole } from '../../../../scripts/build-console.ts';
import { startKeyroster } from '../../../support/command-line.ts';
import { temporaryFolder } from '../../../support/scope.ts';
import { fetchJson } from '../../../support/service.ts';
import { takenPort } from '../../../support/taken-port.ts';

const CURL = /^ *curl '([^']+)' -H '([^:]+): ([^']+)' -H '([^:]+): ([^']+)'$/;

test('demo prints an admin key, its address, a curl line that works as pasted and the console, and deletes its folder', async t => {
  await buildConsole();
  const taken = await takenPort(t);
  const folder = temporaryFolder(t);
  const demo = startKeyroster(t, ['demo', '--port', String(taken), '--vendor', 'acme'], {
    env: { TMPDIR: folder, TEMP: folder, TMP: folder },
  });
  const [, count, address = ''] = await demo.line(/^Keyroster lists (\d+) example API keys at (http:\S+)$/);
  assert.notEqual(Number(new URL(address).port), taken, 'the port is in use');
  const [, secret = ''] = await demo.line(/^Admin key: (acme-admin01-\w+)$/);
  const [, url = '', firstName = '', firstValue = '', secondName = '', secondValue = ''] =
    await demo.line(CURL);
  assert.equal(new URL(url).origin, address);
  assert.deepEqual([firstValue, secondName], [secret, 'acme-version']);

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
