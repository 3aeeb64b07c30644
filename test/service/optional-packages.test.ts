/** The sources in a folder where the packages are missing that not everybody needs. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runNode } from '../support/command-line.ts';
import { suiteScope, temporaryFolder } from '../support/scope.ts';
import { SMALL_SERVER, SMALL_SERVER_PRINTS, storeForSmallServer } from '../support/small-server.ts';
import { sqlite } from '../support/sqlite-store.ts';

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const NO_DRIVER =
  'database: postgres://… needs the packages pg and pg-copy-streams: npm install pg pg-copy-streams\n';
const NO_METRICS = 'metrics: needs the package prom-client: npm install prom-client\n';
const DATABASE = 'postgres://nobody:secret@127.0.0.1:1/none';

describe('without packages that not everybody needs', () => {
  const scope = suiteScope();
  let folder: string;
  before(() => {
    folder = temporaryFolder(scope);
    for (const path of ['src', 'package.json']) cpSync(root(path), join(folder, path), { recursive: true });
    const server = readFileSync(SMALL_SERVER, 'utf8').replace("'keyroster'", "'./src/service/library.ts'");
    writeFileSync(join(folder, 'server.js'), server);
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root('node_modules/commander'), join(folder, 'node_modules/commander'), 'junction');
  });
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runNode(args, { cwd: folder, env });
  const keyroster = (args: readonly string[]) => run(['src/service/cli/bin.ts', ...args]);

  test('the library serves a roster of its own, and SQLite', async () => {
    for (const env of [{}, await storeForSmallServer(scope, sqlite)])
      assert.deepEqual(await run(['server.js'], env), {
        exitCode: 0,
        stdout: SMALL_SERVER_PRINTS,
        stderr: '',
      });
  });

  test('the library says what PostgreSQL needs', async () => {
    const expected = { exitCode: 1, stdout: `Refused: ${NO_DRIVER}`, stderr: '' };
    assert.deepEqual(await run(['server.js'], { DATABASE }), expected);
    const writer = `import { openWriter } from './src/service/library.ts';
      await openWriter({ database: '${DATABASE}' }).catch(({ message }) => console.log(message));`;
    const { stdout } = await run(['--input-type=module', '-e', writer]);
    assert.equal(stdout, NO_DRIVER);
  });

  test('each command says it once', async () => {
    const lines = [
      ['migrate'],
      ['migrate', '--plan'],
      ['check'],
      ['serve', '--port', '0'],
      ['serve', '--port', '0', '--workers', '2'],
      ['organizations', 'list'],
      ['adopt', '--table', 'api_keys'],
    ];
    for (const line of lines) {
      const finished = await keyroster([...line, '--database', DATABASE]);
      assert.deepEqual(
        finished,
        { exitCode: 1, stdout: '', stderr: `keyroster: ${NO_DRIVER}` },
        line.join(' '),
      );
    }
  });

  test('serve says what metrics need, in one process and in several', async () => {
    const database = `sqlite:${join(folder, 'keyroster.db')}`;
    assert.equal((await keyroster(['migrate', '--database', database])).exitCode, 0);
    const serve = ['serve', '--port', '0', '--metrics-port', '0', '--database', database];
    for (const line of [serve, [...serve, '--workers', '2']])
      assert.deepEqual(await keyroster(line), {
        exitCode: 1,
        stdout: '',
        stderr: `keyroster: ${NO_METRICS}`,
      });
  });
});
