import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Forwards to this port, and what a client sends a while later: a network on which a round trip takes that long. */
export async function withDelay<T>(
  target: number,
  milliseconds: number,
  work: (port: number) => Promise<T>,
): Promise<T> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, client => {
    const database = connect({ port: target, host: '127.0.0.1', noDelay: true });
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => other.destroy());
    }
    client.on('data', data => setTimeout(() => database.write(data), milliseconds));
    database.on('data', data => client.write(data));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work((server.address() as AddressInfo).port);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}
