import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';
import { atEndOf, type Scope } from './scope.ts';

type Stalled = 'requests' | 'answers' | 'both';

/** A TCP proxy that can stop forwarding without closing a connection, like a network that loses every packet. */
export async function startStallingProxy(scope: Scope, target: number) {
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
  const port = await listen(scope, server);
  atEndOf(scope, cut);
  return {
    port,
    /** Stops forwarding this, on the open connections and on new ones. */
    stall: (what: Stalled) => {
      stalled = what;
    },
    /** Stops forwarding answers once a request with this text is forwarded. */
    stallAnswersAfter: (text: string) => {
      last = text;
    },
    /** Forwards again, starting with the bytes that it kept back. */
    resume: () => {
      stalled = null;
      for (const pump of pumps) pump();
    },
    /** Closes the open connections. */
    cut,
  };
}
