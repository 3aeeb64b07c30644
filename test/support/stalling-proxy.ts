import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can stop forwarding without closing a connection, like a network that loses every packet. */
export interface StallingProxy {
  readonly port: number;
  /** Stops forwarding this, on the open connections and on new ones. */
  stall(what: Stalled): void;
  /** Stops forwarding answers once a request with this text is forwarded. */
  stallAnswersAfter(text: string): void;
  /** Forwards again, starting with the bytes that it kept back. */
  resume(): void;
  /** Closes the open connections. */
  cut(): void;
  close(): Promise<void>;
}

export type Stalled = 'requests' | 'answers' | 'both';

export async function startStallingProxy(target: number): Promise<StallingProxy> {
  let stalled: Stalled | null = null;
  let last: string | undefined;
  const sockets = new Set<Socket>();
  const pumps = new Set<() => void>();

  const forward = (from: Socket, to: Socket, what: Stalled) => {
    let pending: Buffer[] = [];
    const pump = () => {
      if (stalled === what || stalled === 'both') return;
      for (const piece of pending) to.write(piece);
      pending = [];
      if (from.readableEnded) to.end();
    };
    pumps.add(pump);
    from.on('data', piece => {
      pending.push(Buffer.from(piece));
      if (last !== undefined && what === 'requests' && piece.includes(last)) stalled = 'answers';
      pump();
    });
    from.on('end', pump);
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      if (stalled === null) to.destroySoon();
    });
    sockets.add(from);
  };

  const server = createServer({ allowHalfOpen: true }, client => {
    const upstream = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    forward(client, upstream, 'requests');
    forward(upstream, client, 'answers');
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stall: what => {
      stalled = what;
    },
    stallAnswersAfter: text => {
      last = text;
    },
    resume: () => {
      stalled = null;
      for (const pump of pumps) pump();
    },
    cut,
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
