/** A real `serve` that is killed and started again behind an address that stays, as behind a load balancer. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIST_API_KEYS_PATH } from '../../src/api/paths.ts';
import { atEndOf, type Scope } from './scope.ts';
import { startServiceProcess } from './service-process.ts';

export interface RestartingService {
  readonly url: string;
  /** Ends the process without warning, in the middle of whatever it does, and starts another. */
  killAndRestart(): Promise<void>;
}

/**
 * @param onList called before each list is forwarded. It may answer by a status of its own: 429, or a 503 without the
 * service's error, as a load balancer's.
 */
export async function startRestartingService(
  scope: Scope,
  database: string,
  onList: () => 429 | 503 | null,
): Promise<RestartingService> {
  let running = await startServiceProcess(scope, database);
  const server = createServer((incoming, response) => {
    const status = incoming.url?.startsWith(LIST_API_KEYS_PATH) ? onList() : null;
    if (status === null) forward(incoming, response, running.port);
    else response.writeHead(status, { 'retry-after': '0' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEndOf(scope, () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    killAndRestart: async () => {
      running.signal('SIGKILL');
      await running.ended();
      running = await startServiceProcess(scope, database);
    },
  };
}

function forward(incoming: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url, headers } = incoming;
  const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers }, answer => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  incoming.pipe(outgoing);
}
