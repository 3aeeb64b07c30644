/** Runs once before and after all test files: `node --test --test-global-setup=test/support/global-setup.ts`. */
import { dirname } from 'node:path';
import { buildConsole } from '../../scripts/build-console.ts';
import { BROWSER_ENDPOINT, type RunningChromium, startChromium } from './chromium.ts';
import { MODEL_FOLDER, type PostgresServer, SERVER_URL } from './postgres.ts';
import { globalSetup as setUpProcesses, globalTeardown as tearDownProcesses } from './process-setup.ts';
import { startServerOfStores } from './server-of-stores.ts';

let browser: RunningChromium | undefined;
let model: PostgresServer | undefined;
let server: PostgresServer | undefined;

export async function globalSetup(): Promise<void> {
  [browser, server] = await Promise.all([startChromium(), startServer(), buildConsole(), setUpProcesses()]);
  process.env[BROWSER_ENDPOINT] = browser.endpoint;
  process.env[SERVER_URL] = server.url;
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
  await tearDownProcesses();
}
