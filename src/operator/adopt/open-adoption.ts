import type { Store } from '../../service/stores.ts';
import type { Adoption } from './adopt.ts';

/** Throws `Refused`, also where the driver is missing. */
export async function adoptionIn(store: Store): Promise<Adoption> {
  const url = await store.databaseOfVendor();
  return (await import('./adopt.ts')).adoptionOf(url);
}
