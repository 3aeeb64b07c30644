import { Client } from 'pg';
import { atEndOf, type Scope } from './scope.ts';

/** A connection to PostgreSQL, which is closed at the scope's end. */
export async function connect(scope: Scope, url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  atEndOf(scope, () => client.end());
  return client;
}
