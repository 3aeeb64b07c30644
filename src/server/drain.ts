import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { DRAIN_TIMEOUT_MS } from './limits.ts';

export interface Shutdown {
  /** How long the service stays open while it reports that it isn't ready, so that load balancers stop sending requests. */
  readonly delayMs: number;
  /** How long idle connections then stay open for requests that are on their way. */
  readonly lingerMs: number;
}

/**
 * Makes `app.close()` answer every request on an accepted connection. From the call on, every answer has `connection: close`.
 * After the delay the server stops listening. Idle connections are closed only after the linger time, as a request may be on
 * its way. Answers in progress may finish, within a limit.
 */
export function drainOnClose(
  app: FastifyInstance,
  { delayMs, lingerMs }: Shutdown,
): { isStopping: () => boolean } {
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
    if (!app.server.listening) return;
    await wait(delayMs);
    const closed = once(app.server, 'close');
    stopListening(app.server);
    await Promise.race([closed, wait(lingerMs, undefined, { ref: false })]);
    setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS).unref();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close');
    done(null, payload);
  });
  return { isStopping: () => stopping };
}

/** Calls `close` of `net.Server`, as that of `http.Server` would also close idle connections at once. */
function stopListening(server: HttpServer): void {
  Server.prototype.close.call(server);
}
