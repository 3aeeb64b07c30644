import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runNode } from '../../support/command-line.ts';
import { loadedModules, RECORD_LOADED } from '../../support/loaded-modules.ts';
import { sqlite } from '../../support/roster.ts';
import { SMALL_SERVER, SMALL_SERVER_PRINTS, storeForSmallServer } from '../../support/small-server.ts';
import { postgres } from '../../support/stores.ts';

/** What a server loads that is made of the library and answers a few requests. */
async function loadedWith(env: Record<string, string>) {
  const { stdout, stderr } = await runNode([SMALL_SERVER], { env: { ...env, ...RECORD_LOADED } });
  assert.equal(stdout, SMALL_SERVER_PRINTS);
  const { parts, packages, urls } = loadedModules(stderr);
  const ofApi = urls.flatMap(url => /service\/api\/(.+)\.ts$/.exec(url)?.[1] ?? []);
  return {
    parts,
    packages,
    hasSqlite: urls.includes('node:sqlite'),
    unasked: ofApi.filter(name => UNASKED.includes(name)),
  };
}

/** What nobody has asked this server for. */
const UNASKED = ['console', 'metrics', 'openapi', 'schemas'];

const always = ['service/server', 'service/writer'];

test('over a roster of its own, a server loads no package, no store and nothing of the command line or the console', async () => {
  assert.deepEqual(await loadedWith({}), { parts: always, packages: [], hasSqlite: false, unasked: [] });
});

test('an import of keyroster loads few modules, and none of a service, a store or a writer', async () => {
  const args = ['--input-type=module', '-e', "import 'keyroster'"];
  const { parts, packages, urls } = loadedModules((await runNode(args, { env: RECORD_LOADED })).stderr);
  const ofNode = urls.filter(url => url.startsWith('node:'));
  assert.deepEqual(
    { parts, packages, ofNode },
    { parts: ['service/writer'], packages: [], ofNode: ['node:os'] },
  );
  assert.ok(urls.length <= 30, urls.join('\n'));
});

test('over PostgreSQL it loads the driver, and no node:sqlite, which older releases of Node do not have', async t => {
  const parts = ['service/postgres', ...always];
  const expected = { parts, packages: ['pg', 'pgpass'], hasSqlite: false, unasked: [] };
  assert.deepEqual(await loadedWith(await storeForSmallServer(t, postgres)), expected);
});

test('over SQLite it loads no package', async t => {
  const parts = [...always, 'service/sqlite'].sort();
  const expected = { parts, packages: [], hasSqlite: true, unasked: [] };
  assert.deepEqual(await loadedWith(await storeForSmallServer(t, sqlite)), expected);
});

test('what is asked for is loaded: metrics, the console and the OpenAPI document', async () => {
  const code = `import { Registry } from 'prom-client';
    import { createKeyroster } from 'keyroster';
    const roster = { listApiKeys: async () => ({ items: [], hasMore: false }) };
    const options = { roster, authenticate: () => null, console: true, metrics: new Registry() };
    const keyroster = await createKeyroster(options);
    await keyroster.fetch(new Request('http://localhost/openapi.json'));
    await keyroster.close();`;
  const { stderr } = await runNode(['--input-type=module', '-e', code], { env: RECORD_LOADED });
  const { packages, urls } = loadedModules(stderr);
  assert.deepEqual(packages, ['prom-client']);
  for (const name of UNASKED) assert.match(urls.join('\n'), new RegExp(`/api/${name}\\.ts$`, 'm'));
});
