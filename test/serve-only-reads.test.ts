import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startKeyroster } from './support/command-line.ts';
import { embeddedStore } from './support/embedded-store.ts';
import { importContent, jsonLines, record } from './support/import-file.ts';
import { exchange } from './support/pipeline.ts';
import { requestsWithSecret } from './support/requests-with-secret.ts';

test('the service never changes a byte of the store, whatever the requests are', async t => {
  const store = await embeddedStore(t);
  await importContent(store, jsonLines([record('k1'), record('k2')]));
  const { mtimeMs } = statSync(store.file);
  const before = readFileSync(store.file);

  const serve = startKeyroster(t, ['serve', '--port', '0'], { env: store.env });
  const [, port = ''] = await serve.line(/"msg":"listening on http:[^"]+:(\d+)"/);
  for (const bytes of requestsWithSecret(store.secret, store.secret).values()) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      await exchange(Number(port), bytes.replace(/^GET/, method));
    }
  }
  const log = `${store.file}-wal`;
  assert.equal(existsSync(log) ? statSync(log).size : 0, 0);
  await serve.stop();

  assert.deepEqual(readFileSync(store.file), before);
  assert.equal(statSync(store.file).mtimeMs, mtimeMs);
});

test('the service opens the store read-only', {
  skip: existsSync('/proc/self/fdinfo') ? false : 'this system does not show how files are open',
}, async t => {
  const store = await embeddedStore(t);
  const serve = startKeyroster(t, ['serve', '--port', '0'], { env: store.env });
  await serve.line(/listening on/);
  const folder = `/proc/${serve.pid}`;
  const descriptors = readdirSync(join(folder, 'fd')).filter(
    fd => linkOf(join(folder, 'fd', fd)) === realpathSync(store.file),
  );
  assert.ok(descriptors.length > 0);
  for (const fd of descriptors) {
    const [, flags = ''] =
      /^flags:\s+([0-7]+)$/m.exec(readFileSync(join(folder, 'fdinfo', fd), 'utf8')) ?? [];
    assert.equal(Number.parseInt(flags, 8) & 0b11, 0, 'O_RDONLY');
  }
});

/** The file of a descriptor; `undefined` when it has been closed meanwhile. */
function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
