/** A SQLite store with one organization, for tests of the command line. */
import { join } from 'node:path';
import type { OrganizationId } from '../../src/shared/record/identifier.ts';
import { createOrganization } from './roster.ts';
import { type Scope, temporaryFolder } from './scope.ts';
import { storeAt } from './store-at.ts';

export interface EmbeddedStore {
  readonly folder: string;
  readonly file: string;
  /** The store's URL, for `--database`. */
  readonly url: string;
  /** The environment of a command that works on this store. */
  readonly env: { readonly KEYROSTER_DATABASE_URL: string };
  readonly organization: OrganizationId;
  /** The secret of an admin key of the organization. */
  readonly secret: string;
  /** The organization's current records, newest first. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it
  records(): Promise<any[]>;
}

export async function embeddedStore(scope: Scope): Promise<EmbeddedStore> {
  const folder = temporaryFolder(scope);
  const file = join(folder, 'keyroster.db');
  const url = `sqlite:${file}`;
  const store = storeAt(url);
  await store.migrate();
  const writer = await store.openWriter();
  const { id: organization, secret } = await createOrganization(writer).finally(() => writer.close());
  const records = async () => {
    const reader = await store.openReader();
    try {
      const page = await reader.listApiKeys(organization, { limit: 1000, cursor: null, filter: {} });
      return (page?.items ?? []).map(({ record }) => JSON.parse(record));
    } finally {
      await reader.close();
    }
  };
  return { folder, file, url, env: { KEYROSTER_DATABASE_URL: url }, organization, secret, records };
}
