/** Whether a connection that was opened has the session that is asked for. */
import { type Client, DatabaseError } from 'pg';
import { NotConnected, WrongSession } from './not-connected.ts';
import type { SessionAttrs } from './parameters.ts';

/**
 * On each connection of ours: whoever may make something in another schema of the path could make a function or an operator that
 * PostgreSQL prefers to its own, and what our statements make would be bound to it. Not in the first message to the server, as
 * poolers refuse that, nor in a pooler before it is known that the session is our own.
 */
export const SEARCH_PATH = 'pg_catalog, pg_temp';

interface Session {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

/** As libpq has them. */
const ACCEPTS: Readonly<Record<SessionAttrs, (session: Session) => boolean>> = {
  any: () => true,
  'read-write': ({ isReadOnly }) => !isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
};

const SESSION = `SELECT pg_catalog.pg_is_in_recovery()::pg_catalog.text AS standby,
  pg_catalog.current_setting('transaction_read_only') AS read_only`;

/** Throws `WrongSession`. */
export async function requireAttrs(client: Client, attrs: SessionAttrs, timeoutMs: number): Promise<void> {
  if (attrs === 'any') return;
  const { rows } = await client.query({ text: SESSION, ...{ query_timeout: timeoutMs } });
  const session = { isStandby: rows[0]?.standby === 'true', isReadOnly: rows[0]?.read_only === 'on' };
  if (ACCEPTS[attrs](session)) return;
  if (attrs === 'read-write' && !session.isStandby) throw new WrongSession(SET_READ_ONLY);
  const kind = session.isStandby ? 'a standby' : 'a primary';
  throw new WrongSession(
    `this is ${kind}, and ${attrs} is needed: name such a host in the URL (target_session_attrs)`,
  );
}

const SET_READ_ONLY =
  'the role, the database or options (PGOPTIONS) is set to read only (default_transaction_read_only), and read-write is needed: ' +
  'name a role that writes in the URL (docs/postgresql.md#roles)';

/** Other clients of a busy pooler may hide a change in one of them. */
const ROUNDS = 3;

/**
 * Refuses a pooler that gives a client another connection for each transaction or statement: settings, prepared statements and locks
 * of a session would get lost, and reach others. It sets nothing itself. One in session mode gives none away that is in use, so there
 * another client can't get this one's. Throws `NotConnected`.
 * @param openAnother opens a connection as this one.
 */
export async function requireOwnSession(
  client: Client,
  openAnother: () => Promise<Client>,
  timeoutMs: number,
): Promise<void> {
  const processes = new Set([await processOf(client, timeoutMs)]);
  // What PostgreSQL itself tells a client at the start, to cancel by. A pooler tells a number of its own.
  if (processes.has((client as Client & { processID: number }).processID)) return;
  const other = await openAnother().catch(() => undefined);
  if (!other) return; // as many clients as the pooler takes: it has told nothing
  const requireSame = async () => {
    processes.add(await processOf(client, timeoutMs));
    if (processes.size > 1) throw new NotConnected(CHANGES);
  };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await requireSame(); // it would get what the other one gave back last
      await other.query({ text: 'BEGIN', ...{ query_timeout: timeoutMs } });
      if (processes.has(await processOf(other, timeoutMs))) throw new NotConnected(CHANGES);
      await requireSame(); // it would not get what the other one has
      await other.query('ROLLBACK');
    }
  } catch (error) {
    // In statement mode there are no transactions.
    if (error instanceof DatabaseError) throw new NotConnected(CHANGES, { cause: error });
    // In session mode with no connection left the other one waits.
    if (error instanceof NotConnected) throw error;
  } finally {
    other.end().catch(() => {});
  }
}

async function processOf(client: Client, timeoutMs: number): Promise<number> {
  const query = {
    text: 'SELECT pg_catalog.pg_backend_pid()::pg_catalog.text AS pid',
    query_timeout: timeoutMs,
  };
  const { rows } = await client.query<{ pid: string }>(query);
  return Number(rows[0]?.pid);
}

const CHANGES =
  'a pooler in front of PostgreSQL changes the connection between transactions: set it to session mode, or give the URL ' +
  'of PostgreSQL itself';
