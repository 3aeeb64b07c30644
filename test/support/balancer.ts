/** A small load balancer as operators have one: it hands on connections, and asks each process whether it is ready. */
import { get } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { listen } from './listen.ts';
import { atEndOf, type Scope } from './scope.ts';
import { until } from './until.ts';

/** @param everyMs how often it asks each process. One answer other than 200 is enough to send it no more connections. */
export async function startBalancer(scope: Scope, ports: readonly number[], everyMs: number) {
  const ready = new Set<number>();
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, client => {
    const ports = [...ready];
    if (ports.length === 0) return client.destroy();
    const port = ports[turn++ % ports.length] as number;
    const service = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy()).on('close', () => open.delete(from));
    }
  });
  const ended = new AbortController();
  const watch = async (port: number) => {
    while (!ended.signal.aborted) {
      if ((await readinessOf(port)) === 200) ready.add(port);
      else ready.delete(port);
      await setTimeout(everyMs, undefined, { ref: false });
    }
  };
  for (const port of ports) void watch(port);
  const port = await listen(scope, server);
  atEndOf(scope, () => {
    ended.abort();
    for (const socket of open) socket.destroy();
  });
  return {
    port,
    /** Waits until it sends connections to this port. */
    sees: (port: number) => until(`the balancer sees ${port}`, () => ready.has(port)),
  };
}

function readinessOf(port: number): Promise<number | undefined> {
  return new Promise(resolve => {
    get({ port, host: '127.0.0.1', path: '/readyz', agent: false }, response => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', () => resolve(undefined));
  });
}
