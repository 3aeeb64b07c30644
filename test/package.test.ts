import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startAnsweringService } from './support/answering-service.ts';
import { runNode, startKeyroster } from './support/command-line.ts';
import { blocksIn } from './support/doc-blocks.ts';
import { freePort } from './support/free-port.ts';
import { type InstalledPackages, installPackages } from './support/installed-package.ts';
import { OPERATED, operate } from './support/operate.ts';
import { atEndOf, suiteScope, temporaryFolder } from './support/scope.ts';

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const onPosix = process.platform === 'win32' ? 'needs a shell' : false;

describe('the packages, installed in an empty project', () => {
  const scope = suiteScope();
  let installed: InstalledPackages;
  let adminKey: string;
  let env: Record<string, string>;
  const keyroster = (...args: string[]) =>
    runNode([join(installed.folder, 'node_modules/.bin/keyroster'), ...args], { cwd: installed.folder, env });

  before(async () => {
    installed = await installPackages(scope);
    env = { NODE_ENV: 'production' };
  });

  test('have the program, its documentation and nothing else', () => {
    const files = installed.keyroster.files.map(({ path }) => path);
    const consoleFiles = files.filter(file => file.startsWith('dist/console/'));
    for (const file of ['index.html', 'licenses.md']) assert(consoleFiles.includes(`dist/console/${file}`));
    const kinds = new Set(
      files.map(file =>
        consoleFiles.includes(file)
          ? 'console'
          : file
              .replace(/^dist\/.*?([^./]*(\.d)?\.\w+)$/, 'dist $1')
              .replace(/ \S*?(\.d\.ts|\.js)$/, ' $1')
              .replace(/^docs\/[\w-]+(\.md|\.json)$/, 'docs $1'),
      ),
    );
    const expected = [
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'console',
      ...[
        'Dockerfile',
        'compose.yaml',
        'keyroster.service',
        'kubernetes-migrate.yaml',
        'kubernetes.yaml',
        'nginx.conf',
        'prometheus-alerts.yaml',
      ].map(file => `deploy/${file}`),
      'deploy/postgres-roles.sql',
      'deploy/reader-password.sql',
      'dist .d.ts',
      'dist .js',
      'dist cdx.json',
      'docs .json',
      'docs .md',
      'docs/config.schema.json',
      'docs/policies.schema.json',
      'examples/api-keys.jsonl',
      'examples/in-memory-store.js',
      'examples/policies.json',
      ...['bun', 'deno', 'express', 'fastify', 'hono', 'koa', 'next-route', 'node-http'].map(
        server => `examples/servers/${server}.js`,
      ),
      'package.json',
      'src/client/README.md',
    ];
    assert.deepEqual([...kinds].sort(), expected.sort());
    // Packed: the program with its console, types and examples takes 500 kB, the documents 140.
    assert(installed.keyroster.size < 720_000, `${installed.keyroster.size} bytes`);
  });

  // npm's site takes pictures from the repository. They would be more than half of the package.
  test('have every file that its documents link to, except for pictures', () => {
    const files = installed.keyroster.files.map(({ path }) => path);
    const documents = files.filter(file => file.endsWith('.md'));
    assert(documents.includes('docs/library.md'));
    const inPackage = (path: string) => files.some(file => file === path || file.startsWith(`${path}/`));
    for (const document of documents) {
      const text = readFileSync(join(installed.folder, 'node_modules/keyroster', document), 'utf8');
      for (const [link, path = ''] of text.matchAll(/(?<!!)\[[^\]]*\]\((?!\w+:|#)([^)#]+)[^)]*\)/g))
        assert(inPackage(join(dirname(document), path)), `${document}: ${link}`);
    }
  });

  test('have a client that is its own files and nothing else, small and without dependencies', () => {
    const { files, size } = installed.client;
    const names = globSync('*.ts', { cwd: root('src/client') }).map(file => file.replace('.ts', ''));
    const compiled = names.flatMap(name => [`${name}.js`, `${name}.d.ts`]);
    const expected = ['LICENSE', 'README.md', 'api.md', 'package.json', ...compiled];
    assert.deepEqual(files.map(({ path }) => path).sort(), expected.sort());
    assert(size < 26_000, `${size} bytes`);
    const client = manifestIn('@keyroster/client');
    const fields = Object.keys(client).filter(field => /dependencies|scripts|bin$/i.test(field));
    assert.deepEqual(fields, []);
    assert.deepEqual(client.engines, { node: '>=20' });
  });

  test('have in the client what its pages link to', () => {
    const folder = join(installed.folder, 'node_modules/@keyroster/client');
    for (const page of ['README.md', 'api.md']) {
      const links = readFileSync(join(folder, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g);
      for (const [, file = ''] of links) assert(existsSync(join(folder, file)), `${page} links to ${file}`);
    }
  });

  test('have one version and one licence', () => {
    const [{ version, license }, client] = [manifestIn('keyroster'), manifestIn('@keyroster/client')];
    assert.deepEqual([client.version, client.license], [version, license]);
  });

  test('have one way each: the client is not in keyroster too', async () => {
    writeFileSync(join(installed.folder, 'other-way.js'), "import 'keyroster/client';");
    const { exitCode, stderr } = await runNode(['other-way.js'], { cwd: installed.folder });
    assert.equal(exitCode, 1);
    assert.match(stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/);
  });

  test('have the same modes whatever the umask of the one who packs it, so that each pack gives the same bytes', () => {
    const files = [...installed.keyroster.files, ...installed.client.files];
    assert.deepEqual([...new Set(files.map(({ mode }) => mode))], [0o644]);
  });

  test('have a bill of materials, with every package that keyroster needs', () => {
    const folder = join(installed.folder, 'node_modules');
    const sbom = JSON.parse(readFileSync(join(folder, 'keyroster/dist/sbom.cdx.json'), 'utf8'));
    const listed = new Set(sbom.components.map(({ name, version }: Named) => `${name}@${version}`));
    const { packages } = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8'));
    for (const [path, { version }] of Object.entries<Named>(packages)) {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      if (!/^(@keyroster\/client|keyroster)$/.test(name)) assert(listed.has(`${name}@${version}`), path);
    }
  });

  test('have a command that creates a store and fills it', async () => {
    assert.equal((await keyroster('migrate')).stdout, 'applied 1 migration(s)\n');
    await keyroster('organizations', 'create', 'Example Ltd', '--id', 'org_example');
    const key = await keyroster('admin-keys', 'create', '--organization', 'org_example', '--json');
    adminKey = JSON.parse(key.stdout).secret;
    const examples = 'node_modules/keyroster/examples/api-keys.jsonl';
    const imported = await keyroster('import', examples, '--organization', 'org_example');
    assert.deepEqual([imported.exitCode, imported.stderr], [0, '']);
    assert.match(imported.stdout, /^inserted 2500, updated 0, unchanged 0, refused 0, import import_\w+\n$/);
  });

  // From an empty folder: migrate, import, serve, stop under load, restart, back up, restore, upgrade.
  test('have a command by which an ordinary user operates the service', { skip: onPosix }, async t => {
    const command = join(installed.folder, 'node_modules/.bin/keyroster');
    assert.match(await operate(t, { command, readable: [installed.folder] }), OPERATED);
  });

  test('have all that npm start needs in a checkout that was built: no development dependency', async t => {
    const checkout = temporaryFolder(t);
    const [modules, check] = [join(installed.folder, 'node_modules'), 'scripts/check-install.cjs'];
    mkdirSync(join(checkout, 'scripts'));
    copyFileSync(root(check), join(checkout, check));
    symlinkSync(modules, join(checkout, 'node_modules'));
    symlinkSync(join(modules, 'keyroster/dist'), join(checkout, 'dist'));
    const { scripts } = JSON.parse(readFileSync(root('package.json'), 'utf8'));
    const [node, bin, ...args] = `${scripts.start} --port 0`.split(' ');
    assert.equal(node, 'node');
    const store = { KEYROSTER_DATABASE_URL: `sqlite:${join(installed.folder, 'data/keyroster.db')}` };
    const serve = startKeyroster(t, args, { bin: String(bin), cwd: checkout, env: store });
    await serve.line(/"msg":"the web console is at/);
    assert.equal((await serve.stop()).exitCode, 0);
  });

  test('have a library that can be mounted in a server, and a client that reads from it, as their docs show', async () => {
    const port = await freePort();
    const at = (code: string) => code.replaceAll('3000', String(port));
    writeFileSync(join(installed.folder, 'server.js'), at(example('import { createServer')));
    writeFileSync(join(installed.folder, 'walk.js'), at(example('import { KeyrosterClient', CLIENT_PAGE)));
    writeFileSync(join(installed.folder, 'resumed.js'), example('import { readFile', CLIENT_PAGE));
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
    assert.equal(read.stdout, example('[ ', CLIENT_PAGE));

    const KEYROSTER_BASE_URL = await startReplacing(`http://127.0.0.1:${port}`);
    const resumed = await runNode(['resumed.js'], { cwd: installed.folder, env: { KEYROSTER_BASE_URL } });
    assert.deepEqual([resumed.exitCode, resumed.stderr], [0, '']);
    assert.equal(resumed.stdout, example('failed after', CLIENT_PAGE));
    server.kill('SIGTERM');
    assert.deepEqual(await once(server, 'exit'), [0, null]);
  });

  /** Starts a proxy, before whose third request the admin key of the second example is replaced: it is refused until then. */
  async function startReplacing(target: string): Promise<string> {
    const file = join(installed.folder, 'admin-key.txt');
    writeFileSync(file, adminKey);
    let requests = 0;
    return startAnsweringService(scope, async ({ url, headers }, response) => {
      requests += 1;
      if (requests === 2) writeFileSync(file, 'a-wrong-one');
      const sent = { 'x-api-key': String(headers['x-api-key']), 'vendor-version': '2023-06-01' };
      const answer = await fetch(target + url, { headers: sent });
      if (answer.status === 401) writeFileSync(file, `${adminKey}\n`);
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
  }

  const manifestIn = (name: string) =>
    JSON.parse(readFileSync(join(installed.folder, 'node_modules', name, 'package.json'), 'utf8'));

  test("let the vendor's own authentication decide, as docs/library.md shows", async () => {
    writeFileSync(join(installed.folder, 'authenticate.js'), example('import { createKeyroster'));
    const ran = await runNode(['authenticate.js'], { cwd: installed.folder, env: {} });
    assert.deepEqual([ran.exitCode, ran.stderr, ran.stdout], [0, '', example('200 2')]);
  });

  test('have checks for any store, which that of the examples passes, as docs/library.md shows', async () => {
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
    assert.match(checked.stdout, /^# pass 13$/m);
  });

  test('have types that reject a wrong status or a string limit', () => {
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
      declare const record: Parameters<typeof pageItem>[0];
      import { createServer } from 'node:http';
      import { createKeyroster, type Keyroster } from 'keyroster';
      import { type ApiKeyRecord, KeyrosterClient, KeyrosterError } from '@keyroster/client';
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
      import { openWriter, type PutRecord, Refused, type RefusedFault, type Writer, writerIn } from 'keyroster';
      declare const issued: PutRecord;
      export const writer: Writer = writerIn({ query: async (text: string, values?: (string | null)[]) => ({ rows: [text, values] }) });
      export const put = async () => (await openWriter({ database: 'sqlite:x.db', actor: undefined })).put('org_1', [issued, record]);
      // @ts-expect-error a field is missing
      writer.put('org_1', { id: 'k1' });
      // @ts-expect-error no such status
      writer.setStatus('org_1', 'k1', 'revoked');
      export const faults = (error: Refused): readonly RefusedFault[] => error.faults;
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

const CLIENT_PAGE = 'src/client/README.md';

/** The block of a page that begins like this. */
function example(start: string, page = 'docs/library.md'): string {
  const block = blocksIn(page).find(({ text }) => text.startsWith(start));
  assert(block, start);
  return block.text;
}
