/**
 * The service over a store of your own (`import … from 'keyroster/own-store'`), without what only our stores need: for a bundle, as of
 * a Worker.
 */
import { create } from './library/create.ts';
import type { Keyroster } from './library/keyroster.ts';
import type { OwnStoreOptions } from './library/keyroster-options.ts';

export { AuthenticationUnavailable } from './api/authenticate.ts';
export { StoreBusy, StoreUnavailable } from './roster/errors.ts';
export { pageItem } from './roster/page.ts';

/** Throws a `TypeError` that names the option and its rule. */
export const createKeyroster = (options: OwnStoreOptions): Promise<Keyroster> => create(options);
