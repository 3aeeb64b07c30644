import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_WAITING_REQUESTS } from './limits.ts';

/** The response to the latest request of a connection. A property of the socket, because a `WeakMap` would slow garbage collection down. */
const latestResponse = Symbol('latestResponse');

type Connection = Duplex & { [latestResponse]?: ServerResponse };

/** Calls back when every request of the connection so far is answered; at once when none is under way. */
export function afterLatestResponse(connection: Connection, callback: () => void): void {
  const latest = connection[latestResponse];
  // `closed` means completely written. `writableFinished` is also true while a response waits for earlier ones.
  if (!latest || latest.closed) callback();
  else latest.once('close', callback);
}

/** Whether the latest request of the connection isn't complete: its body is still arriving. */
export function isBodyArriving(connection: Connection): boolean {
  return connection[latestResponse]?.req.complete === false;
}

/**
 * Handles the requests of a connection one after another: each when the answer before it was handed to the operating system. So a
 * connection has at most one answer in memory, however many requests a client sends without reading. Node parses such requests
 * ahead, and would have us answer them all; a connection that has too many of them is closed.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  let waiting = 0;
  return (request, response) => {
    const connection: Connection = request.socket;
    const previous = connection[latestResponse];
    connection[latestResponse] = response;
    if (!previous || previous.closed) return handle(request, response);
    if (waiting === MAX_WAITING_REQUESTS) return request.socket.destroy();
    waiting += 1;
    previous.once('close', () => {
      waiting -= 1;
      // Without a socket when the connection is closed, or will be after the previous answer.
      if (response.socket?.writable) handle(request, response);
    });
  };
}
