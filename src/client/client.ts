/**
 * The typed client of the list operation (docs/api.md). It needs `fetch` and nothing else, so it runs in Node,
 * browsers, Deno and Bun.
 */
import { ApiKeys } from './api-keys.ts';
import type { KeyrosterClientOptions } from './options.ts';
import { Transport } from './transport.ts';

export type { ApiKeys } from './api-keys.ts';
export { KeyrosterError, type KeyrosterErrorType } from './errors.ts';
export { InvalidOptionError } from './invalid-option.ts';
export type { ListOptions, Retry } from './list-options.ts';
export type { Listing } from './listing.ts';
export type { ApiKeyRecord } from './openapi.ts';
export type { KeyrosterClientOptions } from './options.ts';
export type { ApiKeyPage } from './page.ts';
export type { ListParameters } from './parameters.ts';

export class KeyrosterClient {
  readonly apiKeys: ApiKeys;

  /** Throws an `InvalidOptionError`. */
  constructor(options: KeyrosterClientOptions) {
    this.apiKeys = new ApiKeys(new Transport(options));
  }
}
