/**
 * The typed client of the list operation (docs/api.md). It needs `fetch` and nothing else, so it runs in Node,
 * browsers, Deno and Bun.
 */
import { ApiKeys } from './api-keys.ts';
import { Connection } from './connection.ts';
import type { ConnectionOptions } from './options.ts';

export type { ApiKeys, ListOptions, ListQuery } from './api-keys.ts';
export { KeyrosterError, type KeyrosterErrorType } from './errors.ts';
export type { Listing } from './listing.ts';
export type { ApiKey } from './openapi.ts';
export type { Page } from './page.ts';

export type KeyrosterClientOptions = ConnectionOptions;

export class KeyrosterClient {
  readonly apiKeys: ApiKeys;

  constructor(options: KeyrosterClientOptions) {
    this.apiKeys = new ApiKeys(new Connection(options));
  }
}
