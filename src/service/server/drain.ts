import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { DRAIN_TIMEOUT_MS } from './limits.ts';

export interface Shutdown {
  /** How long the service stays open while it reports that it isn't ready, so that load balancers stop sending requests. */
  readonly delayMs: number;
  /** How long idle connections then stay open for requests that are on their way. */
  readonly lingerMs: number;
}

/**
 * Closes the server after every request on an accepted connection was answered. After the delay it stops listening. Only then
 * `sayClose` is called: whoever is told to close connects again at once. Idle connections are closed only after the linger time, as
 * a request may be on its way. Answers in progress may finish, within a limit.
 */
export async function drain(
  server: HttpServer,
  { delayMs, lingerMs }: Shutdown,
  sayClose: () => void,
): Promise<void> {
  if (!server.listening) return;
  await wait(delayMs);
  const closed = once(server, 'close');
  await acceptWaiting(accepted => server.on('connection', accepted));
  stopListening(server);
  sayClose();
  await Promise.race([closed, wait(lingerMs, undefined, { ref: false })]);
  const timeout = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  server.closeIdleConnections();
  await closed;
  clearTimeout(timeout);
}

/**
 * Accepts the connections that the kernel has accepted already: it resets them when the server stops listening. Others may come while
 * a turn of the event loop answers requests, so the last turn has to be a short one. One that comes in that turn is reset.
 * @param onAccept is given what to call at each connection.
 */
export async function acceptWaiting(onAccept: (accepted: () => void) => void): Promise<void> {
  let isQuiet = false;
  onAccept(() => {
    isQuiet = false;
  });
  for (let turn = 0; turn < MAX_TURNS && !isQuiet; turn++) {
    isQuiet = true;
    const start = performance.now();
    await nextTurn();
    if (performance.now() - start > SHORT_TURN_MS) isQuiet = false;
  }
}

/** Clients that connect all the time must not hold the stop up. */
const MAX_TURNS = 1_000;
const SHORT_TURN_MS = 0.2;

/** Calls `close` of `net.Server`, as that of `http.Server` would also close idle connections at once. */
function stopListening(server: HttpServer): void {
  Server.prototype.close.call(server);
}
