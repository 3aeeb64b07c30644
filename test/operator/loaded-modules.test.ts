/** Loading takes most of the time of a short command, so a command loads what it uses and no more. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { renderApiKey } from '../../src/service/roster/api-key.ts';
import { keyroster, startKeyroster } from '../support/command-line.ts';
import { type EmbeddedStore, embeddedStore } from '../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../support/import-file.ts';
import { loadedModules, RECORD_LOADED } from '../support/loaded-modules.ts';
import { atEndOf, suiteScope } from '../support/scope.ts';
import { numberedKey, startSeededService } from '../support/seeded-service.ts';
import { postgres } from '../support/stores.ts';

/** The parts of `src` and the packages that a process loaded, and whether it loaded the client and the server of HTTP. */
function loadedBy(stderr: string) {
  const { urls, parts, packages } = loadedModules(stderr);
  const has = (end: string) => urls.some(url => url.endsWith(end));
  return { parts, packages, client: has('/client/client.ts'), server: has('node:http') };
}

const nothingOfHttp = { client: false, server: false };

describe('what a command loads', () => {
  const scope = suiteScope();
  let store: EmbeddedStore;
  before(async () => {
    store = await embeddedStore(scope);
    await importContent(store, jsonLines([record('k1')]));
  });

  const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const finished = await keyroster(args, { env: { ...store.env, ...env, ...RECORD_LOADED } });
    assert.equal(finished.exitCode, 0, finished.stderr);
    return loadedBy(finished.stderr);
  };

  test('over SQLite is the store and no HTTP', async () => {
    const ours = ['--organization', store.organization];
    const withFormats = ['operator/import', 'service/sqlite'];
    const lines = [
      { line: ['migrate'], parts: ['service/sqlite'] },
      { line: ['admin-keys', 'list'], parts: ['service/sqlite'] },
      { line: ['import', join(store.folder, 'api-keys.jsonl'), ...ours], parts: withFormats },
      { line: ['backup', join(store.folder, 'copy.db')], parts: ['service/sqlite'] },
    ];
    for (const { line, parts } of lines)
      assert.deepEqual(await run(line), { parts, packages: ['commander'], ...nothingOfHttp }, line.join(' '));
  });

  test('over PostgreSQL is its driver, and no SQLite', async () => {
    const database = await postgres.create();
    atEndOf(scope, () => database.remove());
    assert.deepEqual(await run(['migrate', '--database', database.url]), {
      parts: ['service/postgres'],
      packages: ['commander', 'pg', 'pgpass'],
      ...nothingOfHttp,
    });
  });

  test('of a service is the client and no store', async () => {
    const key = numberedKey(1);
    const { service, secret } = await startSeededService(scope, [key]);
    const saved = join(store.folder, 'saved.jsonl');
    writeFileSync(saved, renderApiKey(key));
    const env = { KEYROSTER_BASE_URL: service.url, KEYROSTER_ADMIN_KEY: secret };
    const lines = [
      { line: ['list'], parts: [] },
      { line: ['find', 'Key'], parts: [] },
      { line: ['diff', saved], parts: ['admin/saved'] },
    ];
    const each = ['admin/cli', 'admin/directory', 'admin/find', 'admin/report', 'client'];
    for (const { line, parts } of lines)
      assert.deepEqual(await run(line, env), {
        parts: [...each, ...parts].toSorted(),
        packages: ['commander', 'fast-string-truncated-width'],
        client: true,
        server: false,
      });
  });

  test('of serve is the server and neither the client nor metrics that nobody asked for', async t => {
    const process = startKeyroster(t, ['serve', '--port', '0'], { env: { ...store.env, ...RECORD_LOADED } });
    await process.line(/listening on/);
    const { stderr } = await process.stop();
    assert.deepEqual(loadedBy(stderr), {
      parts: ['service/server', 'service/sqlite'],
      packages: ['commander'],
      client: false,
      server: true,
    });
  });
});
