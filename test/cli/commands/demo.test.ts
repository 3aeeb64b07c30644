import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { buildConsole } from '../../../scripts/build-console.ts';
import { startKeyroster } from '../../support/command-line.ts';
import { type Scope, temporaryFolder } from '../../support/scope.ts';
import { fetchJson } from '../../support/service.ts';
import { takenPort } from '../../support/taken-port.ts';

const CURL = /^ *curl '([^']+)' -H '([^:]+): ([^']+)' -H '([^:]+): ([^']+)'$/;

test('demo prints an admin key, its address and a curl line that works as pasted', async t => {
  const { demo } = startDemo(t, ['--port', '0']);
  const [, count, address = ''] = await demo.line(/^Keyroster lists (\d+) example API keys at (http:\S+)$/);
  const [, secret = ''] = await demo.line(/^Admin key: (vendor-admin01-\w+)$/);
  const [, url = '', firstName = '', firstValue = '', secondName = '', secondValue = ''] =
    await demo.line(CURL);
  assert.equal(new URL(url).origin, address);
  assert.equal(firstValue, secret);

  const { status, body } = await fetchJson(url, { [firstName]: firstValue, [secondName]: secondValue });
  assert.equal(status, 200);
  assert.equal(body.data.length, 2);
  assert.equal(body.has_more, true);
  assert.ok(Number(count) > 1000);
});

test('demo serves the web console and prints its address', async t => {
  await buildConsole();
  const { demo } = startDemo(t, ['--port', '0']);
  const [, address = ''] = await demo.line(/^Console: (http:\S+\/console\/)$/);
  assert.equal((await fetch(address)).status, 200);
});

test('demo takes another port when the requested one is in use', async t => {
  const taken = await takenPort(t);
  const { demo } = startDemo(t, ['--port', String(taken)]);
  const [, address = ''] = await demo.line(/at (http:\S+)$/);
  assert.notEqual(Number(new URL(address).port), taken);
});

test('demo uses the vendor given with --vendor', async t => {
  const { demo } = startDemo(t, ['--port', '0', '--vendor', 'acme']);
  await demo.line(/^Admin key: acme-admin01-/);
  const [, , , , versionHeader] = await demo.line(CURL);
  assert.equal(versionHeader, 'acme-version');
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`demo deletes its temporary folder on ${signal}`, async t => {
    const { demo, folder } = startDemo(t, ['--port', '0']);
    await demo.line(CURL);
    const [own = ''] = readdirSync(folder);
    assert.match(own, /^keyroster-demo-/);
    const { exitCode, stderr } = await demo.stop(signal);
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
    assert.deepEqual(readdirSync(folder), []);
    assert.ok(existsSync(folder));
  });
}

/** Starts a demo that creates its temporary folder in this folder. */
function startDemo(scope: Scope, args: readonly string[]) {
  const folder = temporaryFolder(scope);
  const demo = startKeyroster(scope, ['demo', ...args], {
    env: { TMPDIR: folder, TEMP: folder, TMP: folder },
  });
  return { demo, folder };
}
