/** For a route file of Next (`import … from 'keyroster/next'`). */

import type { KeyrosterOptions } from './keyroster.ts';
import { createKeyroster, type Keyroster } from './library.ts';

/** All that a route file may export: Next itself answers none of them then. */
const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const;
type RouteHandlers = Readonly<Record<(typeof METHODS)[number], (request: Request) => Promise<Response>>>;

/**
 * The handlers of the route. `options` is called at the first request, since `next build` runs the file without a store and its
 * variables. They are those of `createKeyroster` with other defaults: the store is opened later, and nothing is compressed, as Next
 * drops `content-encoding`. Wrong options are a 500, with the `TypeError` in Next's log.
 */
export function routeHandlers(options: () => KeyrosterOptions): RouteHandlers {
  let created: Promise<Keyroster> | undefined;
  const create = async () => {
    const given = { ...options() };
    const { compression = false, openLater = true } = given;
    return createKeyroster(given.roster ? { ...given, compression } : { ...given, compression, openLater });
  };
  const answer = async (request: Request) => {
    created ??= create().catch(error => {
      created = undefined;
      throw error;
    });
    return (await created).fetch(request);
  };
  return Object.fromEntries(METHODS.map(method => [method, answer])) as RouteHandlers;
}
