import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Between a client and a server: it can stop forwarding without a word, as a network does that loses every packet. */
export interface HoldingProxy {
  readonly port: number;
  /** From now on this isn't forwarded, on the connections that there are and on new ones. */
  hold(what: Held): void;
  /** Forwards again, beginning with what it held. */
  release(): void;
  close(): Promise<void>;
}

export type Held = 'requests' | 'answers' | 'both';

export async function startProxy(target: number): Promise<HoldingProxy> {
  let held: Held | null = null;
  const sockets = new Set<Socket>();
  const pumps = new Set<() => void>();

  const forward = (from: Socket, to: Socket, what: Held) => {
    let waiting: Buffer[] = [];
    const pump = () => {
      if (held === what || held === 'both') return;
      for (const piece of waiting) to.write(piece);
      waiting = [];
      if (from.readableEnded) to.end();
    };
    pumps.add(pump);
    from.on('data', piece => {
      waiting.push(Buffer.from(piece));
      pump();
    });
    from.on('end', pump);
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      if (held === null) to.destroySoon();
    });
    sockets.add(from);
  };

  const server = createServer({ allowHalfOpen: true }, client => {
    const upstream = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    forward(client, upstream, 'requests');
    forward(upstream, client, 'answers');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    hold: what => {
      held = what;
    },
    release: () => {
      held = null;
      for (const pump of pumps) pump();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
