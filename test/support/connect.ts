import { Client, Pool } from 'pg';
import { atEndOf, type Scope } from './scope.ts';

/** A connection to PostgreSQL, which is closed at the scope's end. */
export async function connect(scope: Scope, url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  atEndOf(scope, () => client.end());
  return client;
}

/** Its `end` resolves before its connections are closed, and whoever drops the database then ends them by an error. */
export function newPool(url: string): Pool {
  return new Pool({ connectionString: url, max: 4 }).on('error', () => {});
}
