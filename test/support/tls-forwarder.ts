import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { atEndOf, type Scope } from './scope.ts';

/**
 * Listens without TLS and forwards each connection to this port with TLS, its half-closes included. So a test that sends bytes
 * on a plain socket runs over TLS too. Returns the port to send them to.
 */
export async function startTlsForwarder(scope: Scope, securePort: number, ca: string): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, plain => {
    const secure = connect(securePort, '127.0.0.1', { ca, ...{ allowHalfOpen: true } }); // its type lacks this option
    for (const [socket, other] of [
      [plain, secure],
      [secure, plain],
    ] as const) {
      sockets.add(socket.setNoDelay());
      socket.pipe(other);
      socket.on('error', () => other.destroy()).on('close', () => sockets.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEndOf(scope, () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}
