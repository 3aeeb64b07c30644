/** A PostgreSQL of its own, as roles belong to a whole server, with Keyroster's roles as an operator makes them. */
import { readFileSync } from 'node:fs';
import { connect } from './connect.ts';
import { atEndOf, type Scope } from './scope.ts';
import { MIGRATED, startServerOfStores } from './server-of-stores.ts';

export const ROLES = ['reader', 'issuer', 'operator'] as const;
export type Role = (typeof ROLES)[number];

export type DatabaseWithRoles = Awaited<ReturnType<typeof databaseWithRoles>>;

export const rolesFile = readFileSync(new URL('../../deploy/postgres-roles.sql', import.meta.url), 'utf8');

export async function databaseWithRoles(scope: Scope) {
  const server = await startServerOfStores();
  atEndOf(scope, () => server.stop());
  await (await connect(scope, `${server.url}/postgres`)).query(
    `CREATE DATABASE keyroster TEMPLATE ${MIGRATED}`,
  );
  const administratorUrl = `${server.url}/keyroster`;
  /** Who owns the schema. */
  const administrator = await connect(scope, administratorUrl);
  await administrator.query(rolesFile);
  await administrator.query('GRANT DELETE ON keyroster.api_keys TO keyroster_issuer');
  await administrator.query('REVOKE ALL ON keyroster.store, keyroster.made FROM PUBLIC'); // as pg_restore --no-privileges
  await administrator.query(rolesFile); // again, as after an update: it takes away what it doesn't list
  /** The URL for a role that a test has made. */
  const urlOf = async (role: string) => {
    await administrator.query(`ALTER ROLE ${role} PASSWORD 'secret'`);
    return Object.assign(new URL(administratorUrl), { username: role, password: 'secret' }).href;
  };
  const urls = {
    reader: await urlOf('keyroster_reader'),
    issuer: await urlOf('keyroster_issuer'),
    operator: await urlOf('keyroster_operator'),
  } satisfies Record<Role, string>;
  return { administrator, administratorUrl, urls, log: server.log, urlOf };
}
