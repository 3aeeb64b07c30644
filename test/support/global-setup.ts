/** Runs once before and after all test files: `node --test --test-global-setup=test/support/global-setup.ts`. */
import { buildConsole } from '../../scripts/build-console.ts';
import { BROWSER_ENDPOINT, type RunningChromium, startChromium } from './chromium.ts';
import { type PostgresServer, SERVER_URL, startPostgres } from './postgres.ts';

let browser: RunningChromium | undefined;
let server: PostgresServer | undefined;

export async function globalSetup(): Promise<void> {
  await buildConsole();
  browser = await startChromium();
  process.env[BROWSER_ENDPOINT] = browser.endpoint;
  server = await startPostgres();
  process.env[SERVER_URL] = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
  await browser?.stop();
}
