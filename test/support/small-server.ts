/** The server in `small-server.js`, and what it prints over any store. */

import { fileURLToPath } from 'node:url';
import { newStore } from './opened.ts';
import { organizationIn } from './roster.ts';
import type { Scope } from './scope.ts';
import { numberedKeys } from './seeded-service.ts';
import type { StoreKind } from './stores.ts';

export const SMALL_SERVER = fileURLToPath(new URL('small-server.js', import.meta.url));

export const SMALL_SERVER_PRINTS = 'fetch 200 k0 k1\nhandle 200 k0 k1\nunknown 401\nlogged 200 200 401\n';

/** Makes a store with the keys that the server has over its own roster, and returns the environment that names it. */
export async function storeForSmallServer(scope: Scope, kind: StoreKind): Promise<Record<string, string>> {
  const store = await newStore(scope, kind);
  const { id } = await organizationIn(store, numberedKeys(2));
  return { DATABASE: store.url, ORGANIZATION: id };
}
