/** What the settings of `serve` say together. */
import type { Settings } from './settings.ts';
import { UsageError } from './usage-error.ts';

export function serveSettings(settings: Settings) {
  const { database, adminKeyCache, pageCache, tlsCert, tlsKey, metricsHost, metricsPort, ...others } =
    settings;
  const { trustProxy, maxAdminKeyAge, alsoVersion, maxUnread, keepAlive, shutdownDelay, ...more } = others;
  const { logLevel, logRequests, readFrom = [], maxLag, ...asTheyAre } = more;
  return {
    ...asTheyAre,
    store: database,
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
