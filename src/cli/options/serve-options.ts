/** What the settings of `serve` say together. */
import type { Command } from 'commander';
import { type GivenSettings, givenSettings, settingsOf, whatGave } from './given-settings.ts';
import { UsageError } from './usage-error.ts';

/** Throws a `UsageError`. */
export function serveSettings(command: Command) {
  const settings = settingsOf(command);
  refuseBesideSocket(givenSettings(command));
  const { database, adminKeyCache, pageCache, tlsCert, tlsKey, metricsHost, metricsPort, ...others } =
    settings;
  const { trustProxy, maxAdminKeyAge, alsoVersion, maxUnread, keepAlive, shutdownDelay, ...more } = others;
  const { logLevel, logRequests, readFrom = [], maxLag, listen, host, port, ...asTheyAre } = more;
  return {
    ...asTheyAre,
    store: database,
    address: listen ?? { host, port },
    tlsFiles: tlsFilesOf(tlsCert, tlsKey),
    caches: { adminKeyCacheSeconds: adminKeyCache, pageCacheBytes: pageCache * 2 ** 20 },
    standbys: readFrom.length === 0 ? undefined : { urls: readFrom, maxLagSeconds: maxLag },
    trustedProxies: trustProxy ?? [],
    maxAdminKeyAge: maxAdminKeyAge ?? null,
    versions: alsoVersion ?? [],
    maxUnreadBytes: maxUnread * 2 ** 20,
    keepAliveSeconds: keepAlive,
    shutdownDelayMs: shutdownDelay * 1000,
    log: { level: logLevel, requests: logRequests },
    metricsAddress: metricsAddressOf(metricsHost, metricsPort),
  };
}

export type ServeSettings = ReturnType<typeof serveSettings>;

/** A Unix socket has none of these. */
const OF_AN_ADDRESS = ['host', 'port', 'tlsCert', 'tlsKey'] as const;

function refuseBesideSocket({ listen, ...given }: GivenSettings): void {
  if (listen.text === undefined) return;
  const other = OF_AN_ADDRESS.map(name => given[name]).find(({ from }) => from !== 'default');
  if (other)
    throw new UsageError(
      `${whatGave(listen)}: a Unix socket has no host, port or TLS: leave out ${whatGave(other)}`,
    );
}

function tlsFilesOf(cert: string | undefined, key: string | undefined) {
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined)
    throw new UsageError('--tls-cert, --tls-key: give both, or neither');
  return { cert, key };
}

function metricsAddressOf(host: string | undefined, port: number | undefined) {
  if (port !== undefined) return { host: host ?? '127.0.0.1', port };
  if (host !== undefined) throw new UsageError('--metrics-host: there are no metrics without --metrics-port');
  return null;
}
