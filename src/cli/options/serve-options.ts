/** What the settings of `serve` say together. */
import type { Command } from 'commander';
import {
  type GivenSetting,
  type GivenSettings,
  givenSettings,
  nameBeside,
  settingsOf,
  whatGave,
} from './given-settings.ts';
import type { Settings } from './settings.ts';
import { UsageError } from './usage-error.ts';

/** Throws a `UsageError`. */
export function serveSettings(command: Command) {
  const settings = settingsOf(command);
  const given = givenSettings(command);
  refuseBesideSocket(given);
  const { vendor, workers, console, compression, bearer, rateLimit, maxConnections } = settings;
  return {
    ...{ vendor, workers, console, compression, bearer, rateLimit, maxConnections },
    store: settings.database,
    standbys: standbysOf(settings, given.readFrom),
    address: settings.listen ?? { host: settings.host, port: settings.port },
    tlsFiles: tlsFilesOf(settings, given),
    caches: {
      adminKeyCacheSeconds: settings.adminKeyCache,
      pageCacheBytes: settings.pageCache * 2 ** 20,
    },
    trustedProxies: settings.trustProxy ?? [],
    maxAdminKeyAge: settings.maxAdminKeyAge ?? null,
    versions: settings.alsoVersion ?? [],
    maxUnreadBytes: settings.maxUnread * 2 ** 20,
    keepAliveSeconds: settings.keepAlive,
    shutdownDelayMs: settings.shutdownDelay * 1000,
    log: { level: settings.logLevel, requests: settings.logRequests },
    metricsAddress: metricsAddressOf(settings, given),
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

/** `undefined`: no standbys. */
function standbysOf({ database, readFrom: urls = [], maxLag: maxLagSeconds }: Settings, given: GivenSetting) {
  if (urls.length === 0) return undefined;
  if (!database.hasStandbys)
    throw new UsageError(`${whatGave(given)}: is for PostgreSQL: --database postgres://…`);
  return { urls, maxLagSeconds };
}

function tlsFilesOf({ tlsCert: cert, tlsKey: key }: Settings, { tlsCert, tlsKey }: GivenSettings) {
  if (cert === undefined && key === undefined) return null;
  if (cert !== undefined && key !== undefined) return { cert, key };
  const [one, missing] = key === undefined ? [tlsCert, tlsKey] : [tlsKey, tlsCert];
  throw new UsageError(`${whatGave(one)}: ${nameBeside(one, missing)} is missing: give both, or neither`);
}

function metricsAddressOf(settings: Settings, given: GivenSettings) {
  const { metricsHost: host, metricsPort: port } = settings;
  const { metricsHost, metricsPort } = given;
  if (port !== undefined) {
    const address = { host: host ?? '127.0.0.1', port };
    refusePortOfService(address, settings, given);
    return address;
  }
  if (host === undefined) return null;
  throw new UsageError(
    `${whatGave(metricsHost)}: there are no metrics without ${nameBeside(metricsHost, metricsPort)}`,
  );
}

/** Of a port of 0 each server picks its own. */
function refusePortOfService(
  metrics: Pick<Settings, 'host' | 'port'>,
  { listen, host, port }: Settings,
  given: GivenSettings,
): void {
  const isOther = listen !== undefined || port === 0 || metrics.port !== port || metrics.host !== host;
  if (isOther) return;
  const from = given.port.by === null ? 'the default' : whatGave(given.port);
  throw new UsageError(
    `${whatGave(given.metricsPort)}: must not be the port of the service, which is from ${from}`,
  );
}
