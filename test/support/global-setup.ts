/** Runs once before and after all test files: `node --test --test-global-setup=test/support/global-setup.ts`. */
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildConsole } from '../../scripts/build-console.ts';
import { BROWSER_ENDPOINT, type RunningChromium, startChromium } from './chromium.ts';
import { MODEL_FOLDER, type PostgresServer, SERVER_URL } from './postgres.ts';
import { startServerOfStores } from './server-of-stores.ts';

let browser: RunningChromium | undefined;
let model: PostgresServer | undefined;
let server: PostgresServer | undefined;

const fileHere = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const PRELOADED = fileHere('./resolve-relative.cjs');
const COMPILE_FILES = fileHere('./compile-files.ts');

/** Compiling takes a good part of what a test file or a command takes to start, so all of them share a cache. */
const compileCache = mkdtempSync(join(tmpdir(), 'keyroster-compiled-'));

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE = compileCache;
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --require="${PRELOADED}"`;
  [browser, server] = await Promise.all([startChromium(), startServer(), buildConsole(), compileTestFiles()]);
  process.env[BROWSER_ENDPOINT] = browser.endpoint;
  process.env[SERVER_URL] = server.url;
}

/** The files of the run, which are the runner's arguments. */
async function compileTestFiles(): Promise<void> {
  await promisify(execFile)(process.execPath, [COMPILE_FILES, ...globSync(process.argv.slice(1))]);
}

/** A copy of a server with a migrated database, as are those that test files start. */
async function startServer(): Promise<PostgresServer> {
  model = await startServerOfStores();
  await model.kill('SIGINT');
  process.env[MODEL_FOLDER] = dirname(model.dataFolder);
  return startServerOfStores();
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
  await model?.stop();
  await browser?.stop();
  rmSync(compileCache, { recursive: true, force: true });
}
