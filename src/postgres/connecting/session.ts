import type { Client } from 'pg';
import { WrongSession } from './not-connected.ts';
import type { SessionAttrs } from './parameters.ts';

interface Session {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

/** As libpq has them. `prefer-standby` is tried as `standby` first, and then as `any`. */
const ACCEPTS: Readonly<Record<Exclude<SessionAttrs, 'prefer-standby'>, (session: Session) => boolean>> = {
  any: () => true,
  'read-write': ({ isReadOnly }) => !isReadOnly,
  'read-only': ({ isReadOnly }) => isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
};

export type RequiredAttrs = keyof typeof ACCEPTS;

/** What is required of the hosts, one round after the other. */
export function roundsOf(attrs: SessionAttrs): readonly RequiredAttrs[] {
  return attrs === 'prefer-standby' ? ['standby', 'any'] : [attrs];
}

/** Throws `WrongSession`. */
export async function requireAttrs(client: Client, attrs: RequiredAttrs, timeoutMs: number): Promise<void> {
  if (attrs === 'any') return;
  const query = { text: SESSION, query_timeout: timeoutMs };
  const { rows } = await client.query<Row>(query);
  const [row] = rows;
  const session = { isStandby: row?.standby === 'true', isReadOnly: row?.read_only === 'on' };
  if (ACCEPTS[attrs](session)) return;
  const set = row && session.isReadOnly && !session.isStandby ? SET_READ_ONLY[row.source]?.(row) : undefined;
  const is = set?.is ?? `this is ${kindOf(session)}`;
  const remedy = set?.remedy ?? 'name such a host in the URL (target_session_attrs)';
  throw new WrongSession(`${is}, and ${attrs} is needed: ${remedy}`);
}

function kindOf({ isStandby, isReadOnly }: Session): string {
  if (isStandby) return 'a standby';
  return isReadOnly ? 'read-only' : 'a primary that takes writes';
}

type Row = Record<'standby' | 'read_only' | 'source' | 'role' | 'database', string>;

const SESSION = `SELECT pg_catalog.pg_is_in_recovery()::text AS standby,
  pg_catalog.current_setting('transaction_read_only') AS read_only, session_user::text AS role,
  pg_catalog.current_database()::text AS database,
  (SELECT source FROM pg_catalog.pg_settings WHERE name = 'default_transaction_read_only')`;

const ofRole = ({ role }: Row) => ({
  is: `the role ${JSON.stringify(role)} is set to read only (default_transaction_read_only)`,
  remedy: 'name a role that writes in the URL (docs/postgresql.md#roles)',
});

/** Another host would have it too. By the source of the setting in `pg_settings`. */
const SET_READ_ONLY: Readonly<Record<string, (row: Row) => { is: string; remedy: string }>> = {
  user: ofRole,
  'database user': ofRole,
  database: ({ database }) => ({
    is: `the database ${JSON.stringify(database)} is set to read only (default_transaction_read_only)`,
    remedy: 'ALTER DATABASE … RESET default_transaction_read_only',
  }),
  client: () => ({
    is: 'options (PGOPTIONS) turns default_transaction_read_only on',
    remedy: 'take it out',
  }),
};
