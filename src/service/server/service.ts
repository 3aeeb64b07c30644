import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { type AdminKeyOptions, adminKeyAuthentication } from '../api/admin-keys.ts';
import { type Api, type ApiOptions, createApi } from '../api/api.ts';
import type { Log } from '../api/log.ts';
import type { StoreReader } from '../roster/pages/reader.ts';
import type { Some } from '../serving-settings.ts';
import { UnparsableRequests } from './answer-unparsable.ts';
import { drain, type Shutdown } from './drain.ts';
import { handle } from './handle.ts';
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

export interface ServiceOptions
  extends Omit<ApiOptions, 'roster' | 'authentication'>,
    AdminKeyOptions,
    Some<'maxConnections'> {
  readonly roster: StoreReader;
  /** Absent: plain HTTP. */
  readonly tls?: Tls | undefined;
  readonly shutdown?: Shutdown;
}

/** Where a server is to listen. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A Unix socket, in the place of an address. */
export interface SocketFile {
  readonly path: string;
}

/** Who may connect: the service's user, and its group, which may be the proxy's. */
const SOCKET_MODE = 0o660;

/** The API over a store of ours, with a server of its own. It gets the reading half of a store, so it can't write. */
export class Service {
  readonly server: Server;
  readonly log: Log;
  readonly #api: Api;
  readonly #shutdown: Shutdown;

  constructor(options: ServiceOptions) {
    const { roster, shutdown = { delayMs: 0, lingerMs: 0 } } = options;
    const api = createApi({ ...options, authentication: adminKeyAuthentication(roster, options) });
    this.server = createHttpServer(api, options);
    this.#api = api;
    this.log = api.log;
    this.#shutdown = shutdown;
  }

  /** Returns the base URL. A port of 0 picks a free one, which is in the URL. Rejects with Node's error. */
  async listen(address: Address | SocketFile): Promise<string> {
    const { server, log } = this;
    await once(server.listen(address), 'listening');
    if ('path' in address) chmodSync(address.path, SOCKET_MODE);
    const url = urlOf(server);
    log.info(`listening on ${url}`);
    return url;
  }

  /** Answers every request of an open connection, and with `connection: close`. The caller closes the store. */
  async close(): Promise<void> {
    this.#api.unready();
    await drain(this.server, this.#shutdown, () => this.#api.stop());
    await this.#api.stop();
  }
}

/** Node's HTTP or HTTPS server with the service's limits. */
function createHttpServer(api: Api, { maxConnections = 5_000, tls, metrics }: ServiceOptions): Server {
  const unparsable = new UnparsableRequests((...answer) => api.observer.unparsed(...answer));
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
    if (request.httpVersion === '1.1' || request.httpVersion === '1.0')
      void handle(api, request, response, true);
    else unparsable.refuse(response);
  });
  const server = tls ? tls.createServer(limits, listener) : createServer(limits, listener);
  server.on('tlsClientError', ({ code }: NodeJS.ErrnoException) => {
    metrics?.failedHandshakes.inc();
    api.log.debug('TLS handshake failed', { code });
  });
  server.maxHeadersCount = MAX_HEADERS + 1; // a request with as many is refused (node-request.ts)
  server.setTimeout(STALLED_TIMEOUT_MS);
  // A client that closes its half of the connection after a request gets its answer. Node has no option for it.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Node remembers each client's address when it was read. After a reset it can't be read.
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => socket.remoteAddress);
  // A connection over the limit is closed without an answer, which would need memory.
  server.maxConnections = maxConnections;
  server.on('drop', () => metrics?.refusedConnections.inc());
  // A worker would otherwise pass it on to the next, also when all are full: for ever. Node's types don't know the option.
  Object.assign(server, { dropMaxConnection: true });
  unparsable.attach(server);
  return server;
}

/** The base URL of a server that listens; of one on a Unix socket `unix:` and its path. */
export function urlOf(server: Server): string {
  const listening = server.address() as AddressInfo | string;
  if (typeof listening === 'string') return `unix:${listening}`;
  const { family, address, port } = listening;
  const scheme = server instanceof TlsServer ? 'https' : 'http';
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
