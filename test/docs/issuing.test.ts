/** Runs the programs of examples/issuing that feed, and that are a write endpoint. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { outputOf } from '../support/child.ts';
import { BINS, spawnOptions } from '../support/command-line.ts';
import { embeddedStore } from '../support/embedded-store.ts';
import { reader } from '../support/examples.ts';
import { freePort } from '../support/free-port.ts';
import { jsonLines, record } from '../support/import-file.ts';
import { atEndOf } from '../support/scope.ts';
import { until } from '../support/until.ts';

const example = (name: string) => `examples/issuing/${name}`;
const KEYS = 1000;

/** The first two end in the midst of an answer, behind which there are more than fit into a pipe. */
const ENDS_TWICE = `#!/bin/sh
echo x >> '$FOLDER/starts'
if [ "$(wc -l < '$FOLDER/starts')" -gt 2 ]; then exec '${process.execPath}' '${BINS.keyroster}' "$@"; fi
'${process.execPath}' '${BINS.keyroster}' "$@" | head -c 5001
`;

describe('the programs of examples/issuing', () => {
  const isThere = spawnSync('python3', ['--version']).status === 0;
  test('in Python feeds every key though its process ends twice', {
    skip: isThere ? false : 'there is no Python on this machine',
  }, async t => {
    const { folder, env, organization, records } = await embeddedStore(t);
    copyFileSync(example('feed.py'), join(folder, 'feed.py'));
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'keyroster'), ENDS_TWICE.replaceAll('$FOLDER', folder));
    chmodSync(join(bin, 'keyroster'), 0o755);
    const options = spawnOptions({ cwd: folder, env: { ...env, PATH: `${bin}:${process.env.PATH}` } });
    const child = spawn('python3', ['feed.py'], { ...options, detached: true });
    atEndOf(t, () => child.pid && process.kill(-child.pid, 'SIGKILL'));
    const output = outputOf(child.stdout, child.stderr);
    const keys = Array.from({ length: KEYS }, (_, index) => record(`k_${index}`));
    child.stdin.end(jsonLines(keys.map(key => ({ organization_id: organization, ...key }))));
    const exitCode = await new Promise(resolve => child.once('close', resolve));
    assert.deepEqual([exitCode, output()], [0, `${KEYS} answered\n`]);
    const ids = (await records()).map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), keys.map(({ id }) => id).toSorted());
  });

  test('that is a door over HTTP takes keys by its own secret only', async t => {
    const { env, organization, records } = await embeddedStore(t);
    const here = reader(t, {});
    copyFileSync(example('write-endpoint.mjs'), join(here.folder, 'door.mjs'));
    const secret = 'a secret of the issuer, of 32 characters';
    const port = String(await freePort());
    const run = (more: Record<string, string>) =>
      spawn(process.execPath, ['door.mjs'], spawnOptions({ cwd: here.folder, env: { ...env, ...more } }));
    const unsafe = run({ PORT: port, ISSUER_SECRET: '' });
    assert.equal(await new Promise(resolve => unsafe.once('close', resolve)), 1);

    const door = run({ PORT: port, ISSUER_SECRET: secret });
    atEndOf(t, () => door.kill('SIGKILL'));
    const put = async (path: string, body: string, authorization = `Bearer ${secret}`) => {
      const request = { method: 'PUT', headers: { authorization }, body };
      const send = () => fetch(`http://127.0.0.1:${port}${path}`, request).catch(() => undefined);
      const answer = await until('the door answers', send);
      return [answer.status, await answer.json()];
    };
    const path = `/organizations/${organization}/api_keys`;
    const body = JSON.stringify(record('k1'));
    assert.deepEqual(await put(path, body, 'Bearer undefined'), [401, {}]);
    assert.deepEqual(await put(path, body), [200, { inserted: 1, updated: 0, unchanged: 0 }]);
    assert.deepEqual(await put('/other', body), [404, {}]);
    assert.deepEqual(await put(path, '{'), [400, {}]);
    const [status, { faults }] = (await put(path, '{}')) as [number, { faults: { field: string }[] }];
    assert.deepEqual([status, faults[0]?.field], [422, 'id']);
    assert.deepEqual(await records(), [record('k1')]);
    door.kill('SIGTERM');
    assert.equal(await new Promise(resolve => door.once('close', resolve)), 0);
  });
});
