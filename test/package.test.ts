import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runNode } from './support/command-line.ts';
import { blocksIn } from './support/doc-blocks.ts';
import { freePort } from './support/free-port.ts';
import { type InstalledPackage, installPackage } from './support/installed-package.ts';
import { atEndOf, suiteScope } from './support/scope.ts';

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

describe('the package, installed in an empty project', () => {
  const scope = suiteScope();
  let installed: InstalledPackage;
  let adminKey: string;
  let env: Record<string, string>;
  const keyroster = (...args: string[]) =>
    runNode([join(installed.folder, 'node_modules/.bin/keyroster'), ...args], { cwd: installed.folder, env });

  before(async () => {
    installed = await installPackage(scope);
    env = { NODE_ENV: 'production' };
  });

  test('contains the program, its documentation and nothing else', () => {
    const consoleFiles = installed.files.filter(file => file.startsWith('dist/console/'));
    for (const file of ['index.html', 'licenses.md']) assert(consoleFiles.includes(`dist/console/${file}`));
    const kinds = new Set(
      installed.files.map(file =>
        consoleFiles.includes(file)
          ? 'console'
          : file.replace(/^dist\/.*?([^./]*(\.d)?\.\w+)$/, 'dist $1').replace(/ \S*?(\.d\.ts|\.js)$/, ' $1'),
      ),
    );
    const expected = [
      'LICENSE',
      'README.md',
      'console',
      'deploy/postgres-roles.sql',
      'dist .d.ts',
      'dist .js',
      'dist cdx.json',
      'examples/api-keys.jsonl',
      'examples/in-memory-store.js',
      ...['bun', 'deno', 'express', 'fastify', 'hono', 'koa', 'next-route', 'node-http'].map(
        server => `examples/servers/${server}.js`,
      ),
      'package.json',
    ];
    assert.deepEqual([...kinds].sort(), expected.sort());
    assert(installed.tarballBytes < 332_000, `${installed.tarballBytes} bytes`);
  });

  test('has the same modes whatever the umask of the one who packs it, so that each pack gives the same bytes', () => {
    assert.deepEqual([...installed.modes], [0o644]);
  });

  test('has its bill of materials, with every package that the installation has', () => {
    const folder = join(installed.folder, 'node_modules');
    const sbom = JSON.parse(readFileSync(join(folder, 'keyroster/dist/sbom.cdx.json'), 'utf8'));
    const listed = new Set(sbom.components.map(({ name, version }: Named) => `${name}@${version}`));
    const { packages } = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8'));
    for (const [path, { version }] of Object.entries<Named>(packages)) {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      if (name !== 'keyroster') assert(listed.has(`${name}@${version}`), path);
    }
  });

  test('has a command that creates a store and fills it', async () => {
    assert.equal((await keyroster('migrate')).stdout, 'applied 3 migration(s)\n');
    await keyroster('organizations', 'create', 'Example Ltd', '--id', 'org_example');
    const key = await keyroster('admin-keys', 'create', '--organization', 'org_example', '--json');
    adminKey = JSON.parse(key.stdout).secret;
    const examples = 'node_modules/keyroster/examples/api-keys.jsonl';
    const imported = await keyroster('import', examples, '--organization', 'org_example');
    assert.deepEqual(imported, {
      exitCode: 0,
      stdout: 'inserted 2500, updated 0, unchanged 0, refused 0\n',
      stderr: '',
    });
  });

  test('is a library that can be mounted in a server, and a client that reads from it, as docs/library.md shows', async () => {
    const port = await freePort();
    const at = (code: string) => code.replaceAll('3000', String(port));
    writeFileSync(join(installed.folder, 'server.js'), at(example('import { createServer')));
    writeFileSync(join(installed.folder, 'walk.js'), at(example('import { KeyrosterClient')));
    const server = spawn(process.execPath, ['server.js'], {
      cwd: installed.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    atEndOf(scope, () => server.kill('SIGKILL'));
    const [line] = await once(createInterface({ input: server.stdout }), 'line');
    assert.equal(line, `listening on http://127.0.0.1:${port}`);

    const other = await fetch(`http://127.0.0.1:${port}/`);
    assert.equal(await other.text(), 'another page of this server\n');
    const read = await runNode(['walk.js'], {
      cwd: installed.folder,
      env: { KEYROSTER_ADMIN_KEY: adminKey },
    });
    assert.deepEqual([read.exitCode, read.stderr], [0, '']);
    assert.equal(read.stdout, example('[ '));
    server.kill('SIGTERM');
    assert.deepEqual(await once(server, 'exit'), [0, null]);
  });

  test("lets the vendor's own authentication decide, as docs/library.md shows", async () => {
    writeFileSync(join(installed.folder, 'authenticate.js'), example('import { createKeyroster'));
    const ran = await runNode(['authenticate.js'], { cwd: installed.folder, env: {} });
    assert.deepEqual([ran.exitCode, ran.stderr, ran.stdout], [0, '', example('200 2')]);
  });

  test('has checks for any store, which that of the examples passes, as docs/library.md shows', async () => {
    const store = 'in-memory-store.js';
    copyFileSync(
      join(installed.folder, 'node_modules/keyroster/examples', store),
      join(installed.folder, store),
    );
    writeFileSync(join(installed.folder, 'store.test.js'), example('import { test }'));
    // Without the variable by which this process tells its own children that they are part of its run.
    const { NODE_TEST_CONTEXT: _, ...outside } = process.env;
    const checked = spawnSync(process.execPath, ['--test', '--test-reporter=tap', 'store.test.js'], {
      cwd: installed.folder,
      env: outside,
      encoding: 'utf8',
    });
    assert.equal(checked.status, 0, checked.stdout);
    assert.match(checked.stdout, /^# pass 12$/m);
  });

  test('has types that reject a wrong status or a string limit', () => {
    const source = `
      import { type ConformanceCheck, conformanceChecks } from 'keyroster/conformance';
      import { type ListQuery, type Page, pageItem, type RosterReader, StoreUnavailable } from 'keyroster';
      class OwnStore implements RosterReader {
        async listApiKeys(organizationId: string, { limit, cursor, filter }: ListQuery): Promise<Page | null> {
          const texts: (string | undefined)[] = [organizationId, cursor?.id, cursor?.direction, filter.status, filter.workspaceId];
          if (texts.length > limit) throw new StoreUnavailable('no connection');
          // @ts-expect-error an item of a page is made by pageItem
          if (limit === 7) return { items: [{ id: 'key_a', record: '{}' }], hasMore: false };
          return { items: [pageItem(record)], hasMore: false };
        }
      }
      export const checks: ConformanceCheck[] = conformanceChecks({
        open: async content => ({ roster: new OwnStore(), ids: [...content.values()].flat().map(({ id }) => id) }),
        change: ({ ids }, organizationId, { workspace_id }) => void ids.push(organizationId, workspace_id ?? ''),
      });
      // @ts-expect-error a roster is needed
      conformanceChecks({ open: () => ({ close: () => {} }) });
      declare const record: ApiKeyRecord;
      import { createServer } from 'node:http';
      import { createKeyroster, type Keyroster } from 'keyroster';
      import { type ApiKeyRecord, KeyrosterClient, KeyrosterError } from 'keyroster/client';
      const { apiKeys } = new KeyrosterClient({ baseUrl: 'http://127.0.0.1:3000', adminKey: 'k' });
      export const right = () => apiKeys.list({ status: 'active', limit: 5 });
      // @ts-expect-error no such status
      export const status = () => apiKeys.list({ status: 'revoked' });
      // @ts-expect-error not a number
      export const limit = () => apiKeys.list({ limit: '5' });
      export const name = (key: ApiKeyRecord): string => key.name;
      // @ts-expect-error the name is text
      export const number = (key: ApiKeyRecord): number => key.name;
      export const type = (error: KeyrosterError) => error.type === 'authentication_error';
      // @ts-expect-error no such error
      export const wrong = (error: KeyrosterError) => error.type === 'oops';
      export const keyroster: Promise<Keyroster> = createKeyroster({ database: process.env.DATABASE_URL });
      export const mounted = keyroster.then(({ handle }) => createServer(handle));
      // @ts-expect-error a store is needed
      createKeyroster({});
      // @ts-expect-error a store of your own needs your own authentication
      createKeyroster({ roster: new OwnStore() });
      createKeyroster({ roster: new OwnStore(), authenticate: async request => {
        const who = request.headers.get('authorization');
        return who === null ? null : { organizationId: 'org_1', callerId: who };
      } });
    `;
    writeFileSync(join(installed.folder, 'types.ts'), source);
    const options = [
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--module',
      'nodenext',
      '--target',
      'es2024',
    ];
    const types = [
      '--types',
      'node',
      '--typeRoots',
      root('node_modules/@types'),
      '--lib',
      'es2024,dom,dom.asynciterable',
    ];
    const tsc = [root('node_modules/typescript/bin/tsc'), ...options, ...types, 'types.ts'];
    execFileSync(process.execPath, tsc, { cwd: installed.folder, stdio: 'inherit' });
  });
});

interface Named {
  readonly name: string;
  readonly version: string;
}

/** The block of docs/library.md that begins like this. */
function example(start: string): string {
  const block = blocksIn('docs/library.md').find(({ text }) => text.startsWith(start));
  assert(block, start);
  return block.text;
}
