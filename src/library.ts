/** The service as a library (`import … from 'keyroster'`): to be mounted in an existing server. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuseUnknown, required } from './options.ts';
import { API_VERSION_RULE, parseApiVersions } from './roster/api-version.ts';
import { parseVendor, VENDOR_RULE } from './roster/vendor.ts';
import { createApp } from './server/app.ts';
import { parseRateLimit, RATE_LIMIT_RULE } from './server/rate-limit.ts';
import { parseStore, STORE_RULE } from './stores.ts';

export type { AdminKeyRecord } from './roster/admin-key-record.ts';
export type { ApiKeyRecord, CreatorRecord } from './roster/api-key-record.ts';
export { Refused, type RefusedFault, StoreBusy, StoreUnavailable } from './roster/errors.ts';
export type { Cursor, Direction, ListQuery } from './roster/list-query.ts';
export { type Page, type PageItem, pageItem } from './roster/page.ts';
export { partialKeyHint } from './roster/partial-key-hint.ts';
export type { RosterReader } from './roster/roster-reader.ts';
export {
  openWriter,
  type StoreWriter,
  type Transaction,
  type TransactionOptions,
  type WriterOptions,
  writerIn,
} from './writer/open-writer.ts';
export type { NewAdminKey, PutRecord, Writer } from './writer/writer.ts';

export interface ServerOptions {
  /** The store: `sqlite:FILE` or `postgres://…`, made by `keyroster migrate`. It is opened read-only. */
  readonly database: string;
  /** The service maker: prefix of the version header. Default: `vendor`. */
  readonly vendor?: string;
  /** Where log lines go, JSON, a line each. Default: nowhere. */
  readonly log?: { write(line: string): void };
  /** Requests per minute for each admin key, 1 to 1,000,000. It also limits failed authentications. Default: 0, no limit. */
  readonly rateLimit?: number;
  /** Whether the admin key may be in `Authorization: Bearer` too. Default: `false`. */
  readonly bearer?: boolean;
  /** More API versions that are accepted and answered like `2023-06-01`: dates, such as `2026-10-21`. Default: none. */
  readonly versions?: readonly string[];
}

export interface Server {
  /** Answers one request of a `node:http` server. The path is that of the operation: strip any prefix first. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Waits for what is under way, then closes the store. Stop sending requests first. */
  close(): Promise<void>;
}

/** Throws a `TypeError` that names the option and its rule. */
export async function createServer(options: ServerOptions): Promise<Server> {
  refuseUnknown(options, KNOWN);
  const { vendor = 'vendor', log, rateLimit = 0, bearer = false, versions = [] } = options;
  const settings = {
    vendor: required('vendor', parseVendor(vendor), VENDOR_RULE),
    rateLimit: required('rateLimit', parseRateLimit(rateLimit), RATE_LIMIT_RULE),
    bearer: required('bearer', typeof bearer === 'boolean' ? bearer : undefined, 'must be true or false'),
    versions: required(
      'versions',
      Array.isArray(versions) ? parseApiVersions(versions) : undefined,
      `${API_VERSION_RULE}, in an array`,
    ),
  };
  if (log !== undefined && typeof log?.write !== 'function')
    throw new TypeError('log: must have a function write');
  const store = required('database', parseStore(options.database), STORE_RULE);
  const tlsWarning = await store.tlsWarning();
  const roster = await store.openReader();
  const app = createApp({
    ...settings,
    roster,
    ...(log && { log: { level: 'info', destination: log } }),
  });
  app.addHook('onClose', () => roster.close());
  if (tlsWarning) app.log.warn(tlsWarning);
  await app.ready();
  return { handle: (request, response) => app.routing(request, response), close: () => app.close() };
}

const KNOWN = Object.keys({
  database: true,
  vendor: true,
  log: true,
  rateLimit: true,
  bearer: true,
  versions: true,
} satisfies Record<keyof ServerOptions, true>);
