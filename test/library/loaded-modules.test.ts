import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runNode } from '../support/command-line.ts';
import { SMALL_SERVER, SMALL_SERVER_PRINTS, storeForSmallServer } from '../support/small-server.ts';
import { postgres, sqlite } from '../support/stores.ts';

const root = new URL('../../', import.meta.url);
const { dependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const recordLoaded = new URL('../support/record-loaded.js', import.meta.url).href;

/** What a server loads that is made of the library and answers a few requests. */
async function loadedWith(env: Record<string, string>) {
  const { stdout, stderr } = await runNode(['--import', recordLoaded, SMALL_SERVER], { env });
  assert.equal(stdout, SMALL_SERVER_PRINTS);
  const urls = stderr.split('\n');
  const matching = (pattern: RegExp) =>
    [...new Set(urls.flatMap(url => pattern.exec(url)?.[1] ?? []))].sort();
  return {
    parts: matching(new RegExp(`^${root}src/([^/]+)`)),
    packages: matching(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/).filter(name => name in dependencies),
    hasSqlite: urls.includes('node:sqlite'),
    readsConsole: urls.some(url => url.endsWith('/read-console.ts')),
  };
}

/** Of postgres only statements: those of a writer in the caller's transaction. */
const always = [
  'api',
  'library',
  'library.ts',
  'options.ts',
  'postgres',
  'roster',
  'server',
  'stores.ts',
  'system-user.ts',
  'writer',
];

test('over a roster of its own, a server loads no store, no driver and nothing of the command line', async () => {
  assert.deepEqual(await loadedWith({}), {
    parts: always,
    packages: ['fastest-levenshtein', 'pino'],
    hasSqlite: false,
    readsConsole: false,
  });
});

test('over PostgreSQL it loads no node:sqlite, which older releases of Node do not have', async t => {
  assert.deepEqual(await loadedWith(await storeForSmallServer(t, postgres)), {
    parts: [...always, 'this-machine.ts'].sort(),
    packages: ['fastest-levenshtein', 'pg', 'pg-copy-streams', 'pino'],
    hasSqlite: false,
    readsConsole: false,
  });
});

test('over SQLite it loads no driver of PostgreSQL', async t => {
  assert.deepEqual(await loadedWith(await storeForSmallServer(t, sqlite)), {
    parts: [...always, 'sqlite'].sort(),
    packages: ['fastest-levenshtein', 'pino'],
    hasSqlite: true,
    readsConsole: false,
  });
});
