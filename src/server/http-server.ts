import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { UnparsableRequests } from './answer-unparsable.ts';
import {
  KEEP_ALIVE_MS,
  MAX_HEADER_BYTES,
  MAX_HEADERS,
  REQUEST_TIMEOUT_MS,
  STALLED_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from './limits.ts';
import { oneAtATime } from './request-order.ts';
import type { Tls } from './tls.ts';

interface HttpServerOptions {
  readonly maxConnections: number;
  /** Answers what never becomes a request that the API could answer. */
  readonly unparsable: UnparsableRequests;
  /** Called for each connection over the limit. */
  readonly onDrop: () => void;
  /** Absent: plain HTTP. */
  readonly tls?: Tls | undefined;
  /** Called for each connection whose TLS handshake failed or took too long, with the error's code. */
  readonly onFailedHandshake: (code: string | undefined) => void;
}

/** Node's HTTP or HTTPS server with the service's limits. */
export function createHttpServer(handle: RequestListener, options: HttpServerOptions): Server {
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false, // requireOneHost checks it, and answers with our error body
    headersTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const listener = oneAtATime((request, response) => {
    // Upgrades aren't supported, but the parser stops at one: a later request on the connection would wait forever.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    // The parser accepts any HTTP version, and none.
    if (request.httpVersion === '1.1' || request.httpVersion === '1.0') handle(request, response);
    else options.unparsable.refuse(response);
  });
  const { tls } = options;
  const server = tls ? tls.createServer(limits, listener) : createServer(limits, listener);
  server.on('tlsClientError', (error: NodeJS.ErrnoException) => options.onFailedHandshake(error.code));
  server.maxHeadersCount = MAX_HEADERS + 1; // a request with as many is refused (node-request.ts)
  server.setTimeout(STALLED_TIMEOUT_MS);
  // A client that closes its half of the connection after a request gets its answer. Node has no option for it.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Node remembers each client's address when it was read. After a reset it can't be read.
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => socket.remoteAddress);
  // A connection over the limit is closed without an answer, which would need memory.
  server.maxConnections = options.maxConnections;
  server.on('drop', options.onDrop);
  // A worker would otherwise pass it on to the next, also when all are full: for ever. Node's types don't know the option.
  Object.assign(server, { dropMaxConnection: true });
  options.unparsable.attach(server);
  return server;
}
