import type { Snapshot } from '../roster/roster.ts';
import { withDatabase } from './connection.ts';
import { orRefused, orUnavailable } from './errors.ts';
import { pageReader } from './pages/list-api-keys.ts';
import { openStoreFile } from './store-file.ts';
import { listAdminKeys } from './writes/admin-keys.ts';
import { fieldsReader } from './writes/change-fields.ts';
import { findOrganization, listOrganizations } from './writes/organizations.ts';

/** One read transaction, over a connection of its own: the others see what is committed meanwhile. */
export async function readSnapshot<T>(file: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return withDatabase(openStoreFile(file, { use: 'read' }), database => {
    database.exec('BEGIN; SELECT 1 FROM organizations LIMIT 1'); // the first read fixes the moment
    const listFields = fieldsReader(database);
    const { listApiKeys } = pageReader(database, listFields);
    return work({
      listApiKeys: (...args) => orUnavailable(() => listApiKeys(...args)),
      listFields: () => orRefused(undefined, listFields),
      listOrganizations: (...args) => orRefused(undefined, () => listOrganizations(database, ...args)),
      findOrganization: id => orRefused(undefined, () => findOrganization(database, id)),
      listAdminKeys: (...args) => orRefused(undefined, () => listAdminKeys(database, ...args)),
    });
  });
}
