import { createServer, type RequestListener } from 'node:http';
import { listen } from './listen.ts';
import type { Scope } from './scope.ts';

/** Starts a service that answers every request as this listener does. Returns its base URL. */
export async function startAnsweringService(scope: Scope, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await listen(scope, server);
  return `http://127.0.0.1:${port}`;
}
