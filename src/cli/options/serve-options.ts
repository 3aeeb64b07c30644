/** What the settings of `serve` say together. */
import type { Command } from 'commander';
import type { Address, SocketFile } from '../../server/service.ts';
import { type GivenSettings, givenSettings, nameBeside, settingsOf, whatGave } from './given-settings.ts';
import type { Settings } from './settings.ts';
import { UsageError } from './usage-error.ts';

/** Throws a `UsageError`. */
export function serveSettings(command: Command) {
  const settings = settingsOf(command);
  const given = givenSettings(command);
  const { vendor, workers, console, bearer, rateLimit, maxConnections } = settings;
  return {
    ...{ vendor, workers, console, bearer, rateLimit, maxConnections },
    store: settings.database,
    address: addressOf(settings, given),
    tlsFiles: tlsFilesOf(settings, given),
    adminKeyCacheSeconds: settings.adminKeyCache,
    trustedProxies: settings.trustProxy ?? [],
    maxAdminKeyAge: settings.maxAdminKeyAge ?? null,
    versions: settings.alsoVersion ?? [],
    shutdownDelayMs: settings.shutdownDelay * 1000,
    logLevel: settings.logLevel,
    metricsAddress: metricsAddressOf(settings, given),
  };
}

export type ServeSettings = ReturnType<typeof serveSettings>;

/** A Unix socket has none of these. */
const OF_AN_ADDRESS = ['port', 'tlsCert', 'tlsKey'] as const;

function addressOf({ host, port }: Settings, given: GivenSettings): Address | SocketFile {
  if (typeof host === 'string') return { host, port };
  const other = OF_AN_ADDRESS.map(name => given[name]).find(({ from }) => from !== 'default');
  if (!other) return host;
  throw new UsageError(
    `${whatGave(given.host)}: a Unix socket has no port or TLS: leave out ${whatGave(other)}`,
  );
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
function refusePortOfService(metrics: Address, { host, port }: Settings, given: GivenSettings): void {
  if (port === 0 || metrics.port !== port || metrics.host !== host) return;
  const from = given.port.by === null ? 'the default' : whatGave(given.port);
  throw new UsageError(
    `${whatGave(given.metricsPort)}: must not be the port of the service, which is from ${from}`,
  );
}
