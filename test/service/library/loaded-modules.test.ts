import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runNode } from '../../support/command-line.ts';
import { loadedModules, RECORD_LOADED } from '../../support/loaded-modules.ts';
import { SMALL_SERVER, SMALL_SERVER_PRINTS, storeForSmallServer } from '../../support/small-server.ts';
import { sqlite } from '../../support/sqlite-store.ts';
import { postgres } from '../../support/stores.ts';

/** What a server loads that is made of the library and answers a few requests. */
async function loadedWith(env: Record<string, string>) {
  const { stdout, stderr } = await runNode([SMALL_SERVER], { env: { ...env, ...RECORD_LOADED } });
  assert.equal(stdout, SMALL_SERVER_PRINTS);
  const { parts, packages, urls } = loadedModules(stderr);
  return {
    parts,
    packages,
    hasSqlite: urls.includes('node:sqlite'),
    readsConsole: urls.some(url => url.endsWith('/read-console.ts')),
  };
}

/** Of postgres only statements: those of a writer in the caller's transaction. */
const always = [
  'service/api',
  'service/library',
  'service/library.ts',
  'service/options.ts',
  'service/postgres',
  'service/roster',
  'service/server',
  'service/settings.ts',
  'service/stores.ts',
  'service/system-user.ts',
  'service/writer',
  'shared/nearest-name.ts',
  'shared/record',
  'shared/version.ts',
];

test('over a roster of its own, a server loads no store, no driver and nothing of the command line', async () => {
  assert.deepEqual(await loadedWith({}), {
    parts: always,
    packages: ['pino'],
    hasSqlite: false,
    readsConsole: false,
  });
});

test('over PostgreSQL it loads no node:sqlite, which older releases of Node do not have', async t => {
  assert.deepEqual(await loadedWith(await storeForSmallServer(t, postgres)), {
    parts: [...always, 'shared/this-machine.ts'].sort(),
    packages: ['pg', 'pg-copy-streams', 'pgpass', 'pino'],
    hasSqlite: false,
    readsConsole: false,
  });
});

test('over SQLite it loads no driver of PostgreSQL', async t => {
  assert.deepEqual(await loadedWith(await storeForSmallServer(t, sqlite)), {
    parts: [...always, 'service/sqlite'].sort(),
    packages: ['pino'],
    hasSqlite: true,
    readsConsole: false,
  });
});
