/** The service as a library (`import … from 'keyroster'`): to be mounted in a server that is there already. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { UsageError } from './cli/options/usage-error.ts';
import { parseVendor, VENDOR_RULE } from './roster/vendor.ts';
import { createApp } from './server/app.ts';
import { storeAt } from './stores.ts';

export interface ServerOptions {
  /** The store: `sqlite:FILE` or `postgres://…`, made by `keyroster migrate`. It is opened read-only. */
  readonly database: string;
  /** The service maker: prefix of the version header. Default: `vendor`. */
  readonly vendor?: string;
  /** Where log lines go, JSON, a line each. Default: nowhere. */
  readonly log?: { write(line: string): void };
  /** Requests a minute for each admin key, which also limits failed authentications. Default: no limit. */
  readonly rateLimit?: number;
}

export interface Server {
  /** Answers one request of a `node:http` server. The path is that of the operation: strip a prefix before. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Waits for what is under way, then closes the store. Stop sending requests first. */
  close(): Promise<void>;
}

/** Throws a `TypeError` for an option that means nothing. */
export async function createServer({
  database,
  vendor = 'vendor',
  log,
  rateLimit = 0,
}: ServerOptions): Promise<Server> {
  const known = parseVendor(vendor);
  if (known === undefined) throw new TypeError(`vendor: ${VENDOR_RULE}`);
  const roster = await openReader(database);
  const app = createApp({
    roster,
    vendor: known,
    rateLimit,
    ...(log && { log: { level: 'info', destination: log } }),
  });
  app.addHook('onClose', () => roster.close());
  await app.ready();
  return { handle: (request, response) => app.routing(request, response), close: () => app.close() };
}

async function openReader(database: string) {
  try {
    return await storeAt(database).openReader();
  } catch (error) {
    throw error instanceof UsageError ? new TypeError(error.message.replace(/^--/, '')) : error;
  }
}
