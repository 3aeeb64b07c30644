import { atEndOf, type Scope } from '../scope.ts';
import type { VendorDatabase } from './vendor-database.ts';

let roles = 0;

/** Makes a role that may log in, with the rights that this SQL grants, until the scope's end. Returns the URL by which it connects. */
export async function newRole(
  scope: Scope,
  { url, client }: VendorDatabase,
  rights: (role: string) => string,
): Promise<string> {
  const role = `role_${process.pid}_${roles++}`;
  await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'; ${rights(role)}`);
  atEndOf(scope, () => client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`));
  return Object.assign(new URL(url), { username: role, password: 'secret' }).href;
}
