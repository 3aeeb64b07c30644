/** The service as a library (`import … from 'keyroster'`): to be mounted in an existing server. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseVendor, VENDOR_RULE } from './roster/vendor.ts';
import { createApp } from './server/app.ts';
import { parseRateLimit, RATE_LIMIT_RULE } from './server/rate-limit.ts';
import { parseStore, STORE_RULE } from './stores.ts';

export interface ServerOptions {
  /** The store: `sqlite:FILE` or `postgres://…`, made by `keyroster migrate`. It is opened read-only. */
  readonly database: string;
  /** The service maker: prefix of the version header. Default: `vendor`. */
  readonly vendor?: string;
  /** Where log lines go, JSON, a line each. Default: nowhere. */
  readonly log?: { write(line: string): void };
  /** Requests per minute for each admin key, 1 to 1,000,000. It also limits failed authentications. Default: 0, no limit. */
  readonly rateLimit?: number;
}

export interface Server {
  /** Answers one request of a `node:http` server. The path is that of the operation: strip any prefix first. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Waits for what is under way, then closes the store. Stop sending requests first. */
  close(): Promise<void>;
}

/** Throws a `TypeError` that names the option and its rule. */
export async function createServer({
  database,
  vendor = 'vendor',
  log,
  rateLimit = 0,
}: ServerOptions): Promise<Server> {
  const prefix = required('vendor', parseVendor(vendor), VENDOR_RULE);
  const limit = required('rateLimit', parseRateLimit(rateLimit), RATE_LIMIT_RULE);
  const store = required('database', parseStore(database), STORE_RULE);
  const tlsWarning = await store.tlsWarning();
  const roster = await store.openReader();
  const app = createApp({
    roster,
    vendor: prefix,
    rateLimit: limit,
    ...(log && { log: { level: 'info', destination: log } }),
  });
  app.addHook('onClose', () => roster.close());
  if (tlsWarning) app.log.warn(tlsWarning);
  await app.ready();
  return { handle: (request, response) => app.routing(request, response), close: () => app.close() };
}

function required<T>(option: string, parsed: T | undefined, rule: string): T {
  if (parsed === undefined) throw new TypeError(`${option}: ${rule}`);
  return parsed;
}
