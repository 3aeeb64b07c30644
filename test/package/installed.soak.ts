/** The packages at work, installed in an empty project: as a program, as a library and as a client. */
import assert from 'node:assert/strict';
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startAnsweringService } from '../support/answering-service.ts';
import { runNode } from '../support/command-line.ts';
import { blockOf } from '../support/doc-blocks.ts';
import { freePort } from '../support/free-port.ts';
import {
  type InstalledPackages,
  installPackages,
  type LonePackages,
  lonePackages,
} from '../support/installed-package.ts';
import { OPERATED, operate } from '../support/operate.ts';
import { atEndOf, suiteScope } from '../support/scope.ts';

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const onPosix = process.platform === 'win32' ? 'needs a shell' : false;

describe('the packages, installed in an empty project', () => {
  const scope = suiteScope();
  let installed: InstalledPackages;
  let lone: LonePackages;
  let adminKey: string;
  const programOf = (which: keyof LonePackages) => {
    const folder = join(lone[which].folder, 'node_modules', installed[which].name);
    const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return join(folder, String(Object.values(bin)[0]));
  };

  before(async () => {
    installed = await installPackages(scope);
    lone = lonePackages(scope, installed);
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

    test('have a client that goes on with a walk that failed, as its docs show', async () => {
      const { folder: cwd } = lone.client;
      writeFileSync(join(cwd, 'resumed.js'), example('import { readFile', CLIENT_PAGE));
      const KEYROSTER_BASE_URL = await startReplacing(cwd, baseUrl);
      const resumed = await runNode(['resumed.js'], { cwd, env: { KEYROSTER_BASE_URL } });
      assert.deepEqual([resumed.exitCode, resumed.stderr], [0, '']);
      assert.equal(resumed.stdout, example('failed after', CLIENT_PAGE));
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
});

const CLIENT_PAGE = 'docs/client.md';
const example = (start: string, page = 'docs/library.md') => blockOf(page, start);
