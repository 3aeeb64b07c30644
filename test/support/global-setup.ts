/** Runs once before and after all test files: `node --test --test-global-setup=test/support/global-setup.ts`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from '../../scripts/build-console.ts';
import { BROWSER_ENDPOINT, type RunningChromium, startChromium } from './chromium.ts';
import { type PostgresServer, SERVER_URL } from './postgres.ts';
import { startServerOfStores } from './server-of-stores.ts';

let browser: RunningChromium | undefined;
let server: PostgresServer | undefined;

const RESOLVE_RELATIVE = fileURLToPath(new URL('./resolve-relative.cjs', import.meta.url));

/** Compiling takes a good part of what a test file or a command takes to start, so all of them share a cache. */
const compileCache = mkdtempSync(join(tmpdir(), 'keyroster-compiled-'));

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE = compileCache;
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --require="${RESOLVE_RELATIVE}"`;
  [browser, server] = await Promise.all([startChromium(), startServerOfStores(), buildConsole()]);
  process.env[BROWSER_ENDPOINT] = browser.endpoint;
  process.env[SERVER_URL] = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
  await browser?.stop();
  rmSync(compileCache, { recursive: true, force: true });
}
