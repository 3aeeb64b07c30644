/** A pooler in front of PostgreSQL, as small as one can be: of all the connections that were authenticated, each client gets one. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { atEndOf, type Scope } from './scope.ts';

/** For how long a client keeps the connection that it got. */
export type PoolMode = 'session' | 'transaction';

interface PooledClient {
  readonly socket: Socket;
  backend: Socket | undefined;
  isReady: boolean;
  /** Statements whose ReadyForQuery is still to come. */
  underWay: number;
  /** Messages for which no connection was free. */
  unsent: Buffer[];
}

/** Returns its port. */
export async function startPooler(scope: Scope, target: number, mode: PoolMode): Promise<number> {
  const clients = new Map<Socket, PooledClient>();
  const all = new Set<PooledClient>();
  const idle: Socket[] = [];
  const sockets = new Set<Socket>();

  const send = (client: PooledClient, messages: readonly Buffer[]) => {
    client.backend ??= idle.pop();
    client.unsent.push(...messages);
    if (!client.backend) return;
    clients.set(client.backend, client);
    for (const message of client.unsent.splice(0)) {
      if (isOneOf(message, 'QS')) client.underWay += 1;
      client.backend.write(message);
    }
  };

  const receive = (backend: Socket, message: Buffer) => {
    const client = clients.get(backend);
    if (!client) return;
    if (isOneOf(message, 'K')) message.writeUInt32BE(7, 5); // a key of its own, to cancel by: of no process of PostgreSQL
    client.socket.write(message);
    if (!isOneOf(message, 'Z')) return;
    client.underWay -= client.isReady ? 1 : 0;
    client.isReady = true;
    const isInTransaction = message[5] !== 'I'.charCodeAt(0);
    if (mode === 'session' || isInTransaction || client.underWay > 0) return;
    clients.delete(backend);
    client.backend = undefined;
    idle.push(backend);
    for (const waiting of all) if (waiting.unsent.length > 0) send(waiting, []);
  };

  const server = createServer(socket => {
    const backend = connect(target, '127.0.0.1');
    const client: PooledClient = { socket, backend, isReady: false, underWay: 0, unsent: [] };
    all.add(client);
    clients.set(backend, client);
    const received = framer();
    const sent = framer();
    backend.on('data', data => {
      for (const message of received(data as Buffer)) receive(backend, message);
    });
    socket.on('data', data => {
      if (client.isReady)
        send(
          client,
          sent(data as Buffer).filter(message => !isOneOf(message, 'X')),
        );
      else backend.write(data); // the startup message has no type
    });
    socket.on('close', () => {
      all.delete(client);
      client.backend?.destroy();
    });
    for (const each of [socket, backend]) sockets.add(each.on('error', () => {}));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEndOf(scope, () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

function isOneOf(message: Buffer, types: string): boolean {
  return types.includes(String.fromCharCode(message[0] ?? 0));
}

/** Cuts a stream into messages: a type, a length that counts itself, and the rest. */
function framer(): (data: Buffer) => Buffer[] {
  let rest = Buffer.alloc(0);
  return data => {
    rest = Buffer.concat([rest, data]);
    const messages: Buffer[] = [];
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1);
      messages.push(Buffer.from(rest.subarray(0, end)));
      rest = rest.subarray(end);
    }
    return messages;
  };
}
