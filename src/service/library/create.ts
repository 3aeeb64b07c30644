import type { AdminKeyOptions } from '../api/admin-keys.ts';
import { type ApiOptions, createApi } from '../api/api.ts';
import type { Metrics } from '../api/metrics.ts';
import { lazyReader } from '../lazy-reader.ts';
import { required } from '../options.ts';
import { handle } from '../server/handle.ts';
import { checkedRoster } from './checked-roster.ts';
import { fetch } from './fetch.ts';
import type { Keyroster } from './keyroster.ts';
import { OPTIONS, type ParsedKeyrosterOptions, parseKeyrosterOptions } from './options.ts';
import type * as Ours from './ours.ts';
import { ownAuthentication } from './own-authentication.ts';

/** `ours` is what only a service over a store of ours may have: a bundle for another's store has none of it. */
export async function create(options: object, ours?: typeof Ours): Promise<Keyroster> {
  const parsed = parseKeyrosterOptions(options, ours?.OUR_OPTIONS);
  const console = (parsed.console && (await ours?.requireConsole())) || null;
  const warning = await parsed.database?.tlsWarning(); // refuses a wrong URL
  const metrics = parsed.metrics && (await ours?.metricsIn(parsed.metrics));
  const opened = await open(parsed, metrics, ours).catch(error => {
    metrics?.remove();
    throw error;
  });
  const { log: destination, logLevel: level } = parsed;
  const api = createApi({
    // An option that nothing reads doesn't compile.
    ...(parsed satisfies Record<
      Exclude<keyof typeof parsed, keyof (ApiOptions & ToOpen) | 'logLevel'>,
      never
    >),
    ...opened,
    log: destination && { level, destination },
    metrics,
    console,
  });
  const trustsProxies = (parsed.trustedProxies ?? []).length > 0;
  if (warning) api.log.warn(warning);
  return {
    fetch: (request, context) => fetch(api, request, context, trustsProxies),
    handle: (request, response) => handle(api, request, response),
    close: async () => {
      await api.stop();
      metrics?.remove();
      await opened.roster.close?.();
    },
  };
}

type ToOpen = Pick<
  ParsedKeyrosterOptions,
  | 'database'
  | 'openLater'
  | 'roster'
  | 'authenticate'
  | 'securityScheme'
  | 'adminKeyCache'
  | Exclude<keyof AdminKeyOptions, 'metrics'>
>;

/** What is listed, and who tells a request's caller: the vendor's code, or else the admin keys of a store of ours. */
async function open(
  options: ToOpen,
  metrics: Metrics | undefined,
  ours: typeof Ours | undefined,
): Promise<Pick<ApiOptions, 'roster' | 'authentication'>> {
  const { database, openLater, roster, authenticate, adminKeyCache } = options;
  const { securityScheme = { type: 'http', scheme: 'Bearer' } } = options;
  await Object(authenticate).ready; // of an authenticator of ours, which may lack a package
  const authentication = authenticate && ownAuthentication(authenticate, securityScheme);
  if (roster && authentication) return { roster: checkedRoster(roster), authentication };
  const { OUR_OPTIONS, adminKeyAuthentication } = required('roster', ours, OPTIONS.roster);
  const { openReader } = required('database', database, OUR_OPTIONS.database);
  const store = openLater ? lazyReader(() => openReader(adminKeyCache)) : await openReader(adminKeyCache);
  const byAdminKey = () => adminKeyAuthentication(store, { ...options, metrics });
  return { roster: store, authentication: authentication ?? byAdminKey() };
}
