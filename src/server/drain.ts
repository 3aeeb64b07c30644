import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { DRAIN_TIMEOUT_MS } from './limits.ts';

export interface Shutdown {
  /** How long it goes on as before, but for being not ready: until nobody sends it new connections. */
  readonly delayMs: number;
  /** How long open connections then have to send what is on its way. */
  readonly lingerMs: number;
}

/**
 * Lets `app.close()` leave no request unanswered that came on an accepted connection. From its first moment every answer
 * says `connection: close`. After the delay it stops listening; a connection that is idle is closed only after the linger,
 * as closing it at once would meet a request on its way. Answers under way end, within a limit.
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

/** Node's HTTP server would close idle connections in the same moment; a plain server's `close` doesn't. */
function stopListening(server: HttpServer): void {
  Server.prototype.close.call(server);
}
