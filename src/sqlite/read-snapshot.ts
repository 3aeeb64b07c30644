import type { Snapshot } from '../roster/roster.ts';
import { listAdminKeys } from './admin-keys.ts';
import { orRefused, orUnavailable } from './errors.ts';
import { pageReader } from './list-api-keys.ts';
import { findOrganization, listOrganizations } from './organizations.ts';
import { openStoreFile } from './store-file.ts';

/** One read transaction, over a connection of its own: the others see what is committed meanwhile. */
export async function readSnapshot<T>(file: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const database = openStoreFile(file, { readOnly: true });
  try {
    database.exec('BEGIN; SELECT 1 FROM organizations LIMIT 1'); // the first read fixes the moment
    const listApiKeys = pageReader(database);
    return await work({
      listApiKeys: (...args) => orUnavailable(() => listApiKeys(...args)),
      listOrganizations: (...args) => orRefused(() => listOrganizations(database, ...args)),
      findOrganization: id => orRefused(() => findOrganization(database, id)),
      listAdminKeys: (...args) => orRefused(() => listAdminKeys(database, ...args)),
    });
  } finally {
    database.close();
  }
}
