import type { Worker } from 'node:cluster';

/** A connection, as Node sends it. */
interface Connection {
  close?(): void;
}

type Send = (message: unknown, connection?: Connection | null, ...rest: unknown[]) => boolean;

/** Which worker a connection was handed to last. */
const holders = new WeakMap<Connection, Worker>();

/**
 * When a worker dies, Node forgets the connection that it was just handing over, at most one, and leaves it open: its client would
 * wait for an answer in vain. It also waits for ever for the dead worker to say that it has it, and doesn't strike it off. Call this
 * for each worker to have both closed.
 */
export function closeLostConnection(worker: Worker): void {
  const child = worker.process;
  const send = child.send.bind(child) as Send;
  let last: Connection | undefined;
  child.send = ((message, connection, ...rest) => {
    if (connection) {
      last = connection;
      holders.set(last, worker);
    }
    return send(message, connection, ...rest);
  }) satisfies Send as typeof child.send;
  child.prependOnceListener('exit', () => {
    if (child.connected) child.disconnect();
    // One that a worker gives back because it ends is another's then. It may be closed twice.
    if (last && holders.get(last) === worker) last.close?.();
  });
}
