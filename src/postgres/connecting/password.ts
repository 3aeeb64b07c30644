// @ts-expect-error: the package has no types
import pgpass from 'pgpass';
import { MissingPassword } from './not-connected.ts';
import type { Host, PostgresUrl } from './url.ts';

type Lookup = (
  entry: { host: string; port: number; database: string; user: string },
  found: (password: string | undefined) => void,
) => void;

/**
 * What the driver calls when PostgreSQL asks for a password: the URL's or the environment's, else that of the file ~/.pgpass or
 * PGPASSFILE. Throws `MissingPassword`: the driver would go on without one, and say something that nobody understands.
 */
export function passwordFor(
  { password, database, user }: PostgresUrl,
  { host, port }: Host,
): () => Promise<string> {
  return async () => {
    if (password) return password();
    // As in libpq the file has `localhost` for a Unix socket.
    const entry = { host: host.startsWith('/') ? 'localhost' : host, port, database, user };
    const found = await new Promise<string | undefined>(resolve => (pgpass as Lookup)(entry, resolve));
    if (!found) throw new MissingPassword();
    return found;
  };
}
