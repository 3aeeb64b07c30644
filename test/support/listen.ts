import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { atEndOf, type Scope } from './scope.ts';

/** Has the server listen on a free port of the loopback interface until the scope's end. Returns the port. */
export async function listen(scope: Scope, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEndOf(scope, () => {
    if ('closeAllConnections' in server)
      (server as Server & { closeAllConnections(): void }).closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A port of the loopback interface that is in use until the scope's end. */
export const takenPort = (scope: Scope): Promise<number> => listen(scope, createServer());
