import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { lastAnswer, MALFORMED, type ObserveUnparsed } from './answer-unparsable.ts';
import { MAX_HEADER_BYTES, REQUEST_TIMEOUT_MS, STALLED_TIMEOUT_MS, TIMEOUT_CHECK_MS } from './limits.ts';

export interface HttpServerOptions {
  readonly maxConnections: number;
  /** How long an idle connection is kept for another request. */
  readonly keepAliveSeconds: number;
  /** Told of the answers that the app doesn't know of. */
  readonly observe: ObserveUnparsed;
  /** Told of each connection over the limit. */
  readonly refused: () => void;
}

/** Node's HTTP server with the service's limits. */
export function createHttpServer(handle: RequestListener, options: HttpServerOptions): Server {
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false, // requireWellFormed does, in the contract's envelope
    headersTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: options.keepAliveSeconds * 1000,
  };
  const server = createServer(limits, (request, response) => {
    // Nothing is upgraded to, and the parser reads no further: a request behind it would wait for ever.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    // The parser takes any version, and none; the router doesn't know what to do with what comes by such.
    if (request.httpVersion === '1.1' || request.httpVersion === '1.0') handle(request, response);
    else refuse(response, options.observe);
  });
  server.setTimeout(STALLED_TIMEOUT_MS);
  // One over the limit is closed at once: there is no memory to spare for an answer to each.
  server.maxConnections = options.maxConnections;
  server.on('drop', options.refused);
  return server;
}

function refuse(response: ServerResponse, observe: ObserveUnparsed): void {
  const { requestId, headers, body } = lastAnswer(MALFORMED);
  response.writeHead(MALFORMED.status, headers).end(body);
  observe(requestId, MALFORMED.status);
}
