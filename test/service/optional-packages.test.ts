/** The sources in a folder where the packages are missing that not everybody needs. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { withCopy, withDriver } from '../../src/service/optional-packages.ts';
import { runNode } from '../support/command-line.ts';
import { sqlite } from '../support/roster.ts';
import { suiteScope, temporaryFolder } from '../support/scope.ts';
import { SMALL_SERVER, SMALL_SERVER_PRINTS, storeForSmallServer } from '../support/small-server.ts';

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const install = (wanted: string) =>
  `install it beside keyroster: npm install ${wanted}, with --global for a global keyroster\n`;
const NO_DRIVER = `database: postgres://… needs the package pg: ${install('pg@8')}`;
const OLD_DRIVER = `database: postgres://… needs pg 8.23.1 or later: ${install('pg@8')}`;
const NO_METRICS = `metrics: needs the package prom-client: ${install('prom-client@15')}`;
const NO_JOSE = `jwtAuthentication: needs the package jose: ${install('jose@6')}`;
const SERVED = { exitCode: 0, stdout: SMALL_SERVER_PRINTS, stderr: '' };
const DATABASE = 'postgres://nobody:secret@127.0.0.1:1/none';

describe('without packages that not everybody needs', () => {
  const scope = suiteScope();
  let folder: string;
  before(() => {
    folder = temporaryFolder(scope);
    for (const path of ['src', 'package.json']) cpSync(root(path), join(folder, path), { recursive: true });
    const server = readFileSync(SMALL_SERVER, 'utf8').replace(
      "'keyroster'",
      "'./src/service/library/library.ts'",
    );
    writeFileSync(join(folder, 'server.js'), server);
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root('node_modules/commander'), join(folder, 'node_modules/commander'), 'junction');
  });
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runNode(args, { cwd: folder, env });
  const keyroster = (args: readonly string[]) => run(['src/operator/bin.ts', ...args]);

  test('the library serves a roster of its own, and SQLite', async () => {
    for (const env of [{}, await storeForSmallServer(scope, sqlite)])
      assert.deepEqual(await run(['server.js'], env), SERVED);
  });

  test('the library says what PostgreSQL needs', async () => {
    const expected = { exitCode: 1, stdout: `Refused: ${NO_DRIVER}`, stderr: '' };
    assert.deepEqual(await run(['server.js'], { DATABASE }), expected);
    const writer = `import { openWriter } from './src/service/library/library.ts';
      await openWriter({ database: '${DATABASE}' }).catch(({ message }) => console.log(message));`;
    const { stdout } = await run(['--input-type=module', '-e', writer]);
    assert.equal(stdout, NO_DRIVER);
  });

  test('createKeyroster rejects where the package for tokens is missing, and sessions need none', async () => {
    const code = `import { jwtAuthentication, sessionAuthentication } from './src/service/library/authenticators.ts';
      import { createKeyroster } from './src/service/library/library.ts';
      const roster = { listApiKeys: async () => ({ items: [], hasMore: false }) };
      await createKeyroster({ roster, authenticate: sessionAuthentication({ cookie: 'sid', find: () => null }) });
      const text = 'https://a.example/';
      const authenticate = jwtAuthentication({
        ...{ jwks: text, issuer: text, audience: text, organizationClaim: text, algorithms: ['RS256'] },
      });
      await createKeyroster({ roster, authenticate }).catch(error => console.log(String(error)));`;
    const { stdout, stderr } = await run(['--input-type=module', '-e', code]);
    assert.deepEqual([stdout, stderr], [`Refused: ${NO_JOSE}`, '']);
  });

  test('each command says it once', async () => {
    const lines = [['migrate'], ['serve', '--port', '0', '--workers', '2'], ['adopt', '--table', 'api_keys']];
    for (const line of lines) {
      const expected = { exitCode: 1, stdout: '', stderr: `keyroster: ${NO_DRIVER}` };
      assert.deepEqual(await keyroster([...line, '--database', DATABASE]), expected, line.join(' '));
    }
  });

  test('an older driver, which npm lets stand beside a global keyroster, is refused', async () => {
    const driver = join(folder, 'node_modules/pg');
    mkdirSync(driver);
    writeFileSync(join(driver, 'index.js'), 'module.exports = { Client: class {} };');
    const { stderr } = await keyroster(['migrate', '--database', DATABASE]);
    rmSync(driver, { recursive: true });
    assert.equal(stderr, `keyroster: ${OLD_DRIVER}`);
  });

  test("an import into PostgreSQL needs a package of its own, and another package isn't taken for it", async () => {
    const lacks = (name: string) => () => {
      const message = `Cannot find package '${name}' imported from /a/node_modules/pg-copy-streams/x.js`;
      return Promise.reject(Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' }));
    };
    const message = `import: into postgres://… needs the package pg-copy-streams: ${install('pg-copy-streams@7')}`;
    await assert.rejects(withCopy(lacks('pg-copy-streams')), { name: 'Refused', message: message.trim() });
    await assert.rejects(withDriver(lacks('pg-protocol')), { name: 'Error' });
  });

  test('serve says what metrics need, in one process and in several', async () => {
    const database = `sqlite:${join(folder, 'keyroster.db')}`;
    assert.equal((await keyroster(['migrate', '--database', database])).exitCode, 0);
    const serve = ['serve', '--port', '0', '--metrics-port', '0', '--database', database];
    for (const line of [serve, [...serve, '--workers', '2']])
      assert.equal((await keyroster(line)).stderr, `keyroster: ${NO_METRICS}`);
  });
});
