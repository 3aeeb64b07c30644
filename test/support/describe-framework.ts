/** Tries an example of a server with its framework: as it is, and below a base path with a store that comes later. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { AdminKeySecret } from '../../src/service/roster/admin-key-secret.ts';
import { expectationsOf, type RunningApp, send } from './app-expectations.ts';
import { endOf, outputOf } from './child.ts';
import { EXAMPLES, type Framework } from './frameworks.ts';
import { freePort } from './free-port.ts';
import { VENDOR } from './roster.ts';
import { type Scope, suiteScope, temporaryFolder } from './scope.ts';
import { serveStore } from './service.ts';
import { createTenants, type Tenant } from './service-process.ts';
import { storeAt } from './store-at.ts';
import { until } from './until.ts';

/** A project that has the framework, or why it hasn't. */
interface Project {
  readonly folder: string;
  readonly problem?: string | undefined;
}

/** The URL of a store that isn't there yet. */
type Place = (scope: Scope) => string | Promise<string>;

export const sqlitePlace: Place = scope => `sqlite:${join(temporaryFolder(scope), 'keyroster.db')}`;

export function describeFramework(
  framework: Framework,
  places: Readonly<Record<string, Place>>,
  createProject: (scope: Scope) => Project | Promise<Project>,
): void {
  const { version, example, file, files = {}, build, command, leaves = [] } = framework;
  describe(`examples/servers/${example}.js, ${version}`, () => {
    const scope = suiteScope();
    let folder: string;
    let problem: string | undefined;
    const tested = (what: string, check: () => Promise<unknown>) =>
      test(what, async t => void (problem ? t.skip(problem) : await check()));
    before(async () => {
      ({ folder, problem } = await createProject(scope));
      const examples = ['', '/api'].map(basePath => [file(basePath), sourceOf(framework, basePath)] as const);
      for (const [name, text] of [...examples, ...Object.entries(files)]) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
    });

    if (build) tested('is built without a store', () => run(build[0], build.slice(1), { cwd: folder }));

    for (const [kind, place] of Object.entries(places))
      for (const basePath of ['', '/api'])
        describe(basePath ? `below ${basePath}, started before its ${kind}` : `over ${kind}`, () => {
          const inner = suiteScope();
          let running: AppProcess;
          let app: RunningApp;
          let early: Awaited<ReturnType<typeof send>> | undefined;
          before(async () => {
            if (problem) return;
            const database = await place(inner);
            const store = { ...storeAt(database), url: database, remove: async () => {} };
            const start = () => startApp(inner, command(file(basePath)), { cwd: folder, database });
            if (basePath) {
              running = await start();
              early = await send({ ...running, basePath, secret: AdminKeySecret.issue(VENDOR).reveal() });
            }
            await store.migrate();
            const tenants = (await createTenants(store, 2, 120)) as [Tenant, Tenant];
            running ??= await start();
            const { port: servedPort } = await serveStore(inner, store, { basePath });
            app = { ...framework, ...running, basePath, tenants, servedPort, secret: tenants[0].secret };
          });

          if (basePath)
            tested('gets a 503 without its store, and answers soon after it is there', async () => {
              assert.equal(early?.status, 503);
              assert.ok(Number(early?.headers['retry-after']) > 0);
              await until('the store is open', async () => (await send(app)).status === 200);
            });

          for (const [what, check] of expectationsOf(framework)) tested(what, () => check(app));

          if (!leaves.includes('its end'))
            tested('ends by itself when it is asked to', async () => {
              const { exitCode, printed } = await running.stop();
              assert.equal(exitCode, 0, printed);
              if (!framework.packages) assert.equal(printed, '');
            });
        });
  });
}

const run = promisify(execFile);

/** The example, or what its user makes of it for a base path and a server that starts before its store. */
function sourceOf({ example }: Framework, basePath: string): string {
  const source = readFileSync(new URL(`${example}.js`, EXAMPLES), 'utf8');
  if (!basePath) return source;
  return source
    .replace('database:', `basePath: '${basePath}', openLater: true, database:`)
    .replace("'/v1/", `'${basePath}/v1/`);
}

type AppProcess = Awaited<ReturnType<typeof startApp>>;

/** Runs this command until the scope's end, and waits until it answers at its `PORT`. */
async function startApp(
  scope: Scope,
  [program, ...args]: readonly [string, ...string[]],
  { cwd, database }: { cwd?: string; database: string },
) {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), DATABASE_URL: database };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = outputOf(child.stdout, child.stderr);
  const end = endOf(scope, child);
  await until(`${args.join(' ')} answers`, () => {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended: ${printed()}`);
    return fetch(`http://127.0.0.1:${port}/healthz`).then(
      answer => answer.text().then(() => true),
      () => false,
    );
  });
  return {
    port,
    /** Asks it to stop as a supervisor does, and waits for its end. */
    stop: async () => {
      child.kill('SIGTERM');
      return { exitCode: await end, printed: printed() };
    },
  };
}
