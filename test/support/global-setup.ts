/** Runs once before and after all test files: `node --test --test-global-setup=test/support/global-setup.ts`. */
import { type PostgresServer, SERVER_URL, startPostgres } from './postgres.ts';

let server: PostgresServer | undefined;

export async function globalSetup(): Promise<void> {
  server = await startPostgres();
  process.env[SERVER_URL] = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
