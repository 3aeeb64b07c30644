import { chmodSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AdminKeyOptions, adminKeyAuthentication } from '../api/admin-keys.ts';
import { type Api, type ApiOptions, createApi } from '../api/api.ts';
import type { ReadinessOptions } from '../api/health.ts';
import type { Log } from '../api/log.ts';
import type { StoreReader } from '../roster/roster.ts';
import { UnparsableRequests } from './answer-unparsable.ts';
import { drain, type Shutdown } from './drain.ts';
import { handle } from './handle.ts';
import { createHttpServer } from './http-server.ts';
import type { Tls } from './tls.ts';
import { urlOf } from './url-of.ts';

export interface ServiceOptions
  extends Omit<ApiOptions, 'roster' | 'authentication' | 'listFields' | keyof ReadinessOptions>,
    AdminKeyOptions {
  readonly roster: StoreReader;
  readonly maxConnections?: number;
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

  constructor({ roster, maxConnections = 5_000, tls, ...options }: ServiceOptions) {
    const { metrics, shutdown = { delayMs: 0, lingerMs: 0 } } = options;
    const api = createApi({
      ...options,
      roster,
      authentication: adminKeyAuthentication(roster, options),
      checkReadiness: () => roster.checkReadiness(),
      listFields: () => roster.listFields(),
    });
    const unparsable = new UnparsableRequests((...answer) => api.observer.unparsed(...answer));
    this.server = createHttpServer((request, response) => void handle(api, request, response), {
      maxConnections,
      tls,
      unparsable,
      onDrop: () => metrics?.refusedConnections.inc(),
      onFailedHandshake: code => {
        metrics?.failedHandshakes.inc();
        api.log.debug({ code }, 'TLS handshake failed');
      },
    });
    this.#api = api;
    this.log = api.log;
    this.#shutdown = shutdown;
  }

  /** Returns the base URL. A port of 0 picks a free one, which is in the URL. Rejects with Node's error. */
  async listen(address: Address | SocketFile): Promise<string> {
    const { server, log } = this;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(address, () => {
        server.off('error', reject);
        resolve();
      });
    });
    if ('path' in address) chmodSync(address.path, SOCKET_MODE);
    const url = urlOf(server);
    log.info(`listening on ${url}`);
    return url;
  }

  /** Answers every request of an open connection, and with `connection: close`. The caller closes the store. */
  async close(): Promise<void> {
    const stopped = this.#api.stop();
    await drain(this.server, this.#shutdown);
    await stopped;
  }
}
