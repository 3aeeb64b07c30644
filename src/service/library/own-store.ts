/**
 * The service over a store of your own (`import … from 'keyroster/own-store'`), without what only our stores need: for a bundle, as of
 * a Worker.
 */
import { create } from './create.ts';
import type { Keyroster, OwnStoreOptions } from './keyroster.ts';

export { StoreBusy, StoreUnavailable } from '../roster/errors.ts';
export { pageItem } from '../roster/pages/page.ts';
export { AuthenticationUnavailable } from './authenticate.ts';

/** Throws a `TypeError` that names the option and its rule. */
export const createKeyroster = (options: OwnStoreOptions): Promise<Keyroster> => create(options);
