/** A SQLite store with one organization, for tests of the command line. */
import { join } from 'node:path';
import { createOrganization } from './roster.ts';
import { type Scope, temporaryFolder } from './scope.ts';
import { storeAt } from './store-at.ts';

export type EmbeddedStore = Awaited<ReturnType<typeof embeddedStore>>;

/** With its URL for `--database`, the environment of a command that works on it, and the secret of an admin key. */
export async function embeddedStore(scope: Scope) {
  const folder = temporaryFolder(scope);
  const file = join(folder, 'keyroster.db');
  const url = `sqlite:${file}`;
  const store = storeAt(url);
  await store.migrate();
  const writer = await store.openWriter();
  const { id: organization, secret } = await createOrganization(writer).finally(() => writer.close());
  /** The organization's current records, newest first. */
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
