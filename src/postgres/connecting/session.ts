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
  const { rows } = await client.query<Record<'standby' | 'read_only', string>>(query);
  const session = { isStandby: rows[0]?.standby === 'true', isReadOnly: rows[0]?.read_only === 'on' };
  if (ACCEPTS[attrs](session)) return;
  const is = session.isStandby
    ? 'a standby'
    : session.isReadOnly
      ? 'read-only'
      : 'a primary that takes writes';
  throw new WrongSession(
    `this is ${is}, and ${attrs} is needed: name such a host in the URL (target_session_attrs)`,
  );
}

const SESSION = `SELECT pg_catalog.pg_is_in_recovery()::text AS standby,
  pg_catalog.current_setting('transaction_read_only') AS read_only`;
