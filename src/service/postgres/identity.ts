import type { StoreIdentity } from '../roster/identity.ts';
import type { PostgresUrl } from './connecting/url.ts';
import { CONTINUE_NUMBERS } from './errors.ts';
import { openForSchema, withClient } from './operator-connection.ts';
import type { Statements } from './statements.ts';

/** A restore that didn't come to its end has left the view empty. The workers of Citus don't have it. */
const STATE = `SELECT relispopulated::text AS full FROM pg_class WHERE oid = to_regclass('keyroster.made')`;
/** Where the rows of a dump came into a store that was there, there are two. */
const OTHER = `SELECT FROM keyroster.store WHERE made <> (SELECT made FROM keyroster.made)`;

export async function identityOf(client: Statements): Promise<StoreIdentity> {
  const { rows } = await client.query('SELECT id FROM keyroster.store');
  const [view] = (await client.query(STATE)).rows;
  const isSame = view?.full === 'true' && (await client.query(OTHER)).rows.length === 0;
  return { id: String(rows[0]?.id), isCopy: view !== undefined && !isSame };
}

export function findIdentity(url: PostgresUrl): Promise<StoreIdentity> {
  return withClient(openForSchema(url, 'read'), identityOf);
}

/** Where only the tables were copied, by a replication, the view has nothing. The owner of the schema fills it. */
export async function confirmRestore(client: Statements): Promise<void> {
  const [view] = (await client.query(STATE)).rows;
  if (view?.full !== 'true') {
    await client.query('REFRESH MATERIALIZED VIEW keyroster.made');
    await client.query(CONTINUE_NUMBERS);
  }
  await client.query('UPDATE keyroster.store SET made = (SELECT made FROM keyroster.made)');
}
