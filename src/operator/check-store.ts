import type { CheckReport } from '../service/roster/check.ts';
import type { Store } from '../service/stores.ts';

/** Looks for what is wrong with a store, a vendor's own table behind it too. */
export function checkStore(store: Store): Promise<CheckReport> {
  return store.check(async (client, mapping) => {
    const { checkVendorTable } = await import('./adopt/check-vendor-table.ts'); // it needs the driver
    return checkVendorTable(client, mapping);
  });
}
