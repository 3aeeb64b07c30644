import { Client } from 'pg';
import { parsePostgresUrl } from '../../src/service/postgres/connecting/url.ts';
import { migrate } from '../../src/service/postgres/migrations/migrate.ts';
import { openWriter } from '../../src/service/postgres/store.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { importFile } from '../roster/import-file.ts';
import { BENCH, createRoster } from '../roster/store.ts';

export interface PostgresStore {
  readonly url: string;
  readonly secret: string;
}

/** Runs a PostgreSQL server with the keys of this file for as long as the work takes. */
export async function withPostgres<T>(
  source: string,
  keys: number,
  work: (store: PostgresStore) => Promise<T>,
): Promise<T> {
  const server = await startPostgres();
  try {
    const url = `${server.url}/postgres`;
    const parsed = parsePostgresUrl(url);
    await migrate(parsed, BENCH);
    const secret = await createRoster(await openWriter(parsed, BENCH));
    await importFile(source, url, { inserted: keys });
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('VACUUM ANALYZE keyroster.api_keys');
    await client.end();
    return await work({ url, secret });
  } finally {
    await server.stop();
  }
}
