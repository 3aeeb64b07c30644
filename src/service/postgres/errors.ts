import { Refused } from '../../shared/record/faults.ts';
import { StoreAway, StoreUnavailable } from '../roster/errors.ts';
import { PROTOCOL_ERROR } from './connecting/guard-protocol.ts';
import { NotConnected, PostgresAway } from './connecting/not-connected.ts';

/** What to do after the connection broke: the transaction may have been committed although its response was lost. */
const CHECK_FIRST = 'check whether it was done before you run it again';
/** The same after work that only reads, or that does the rest when it is run again. */
export const RUN_AGAIN = 'run it again';

/**
 * Runs work that is one transaction, or else says by `outcome` what it has done. Throws `Refused` for an error of the connection or
 * of PostgreSQL.
 */
export async function orRefused<T>(
  work: () => Promise<T>,
  whenBroken: typeof CHECK_FIRST | typeof RUN_AGAIN = CHECK_FIRST,
  outcome = 'nothing was changed',
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error) || cause instanceof Refused) throw cause;
    const broken = whyBroken(cause);
    if (broken)
      throw new StoreAway(`database: the connection to PostgreSQL broke (${broken}): ${whenBroken}`, {
        cause,
      });
    const reason = cause instanceof NotConnected ? cause.message : whyRefused(cause);
    if (cause instanceof PostgresAway) throw new StoreAway(`database: ${reason}; ${outcome}`, { cause });
    const mayPass = cause instanceof NotConnected || MAY_PASS.test(String((cause as Failure).code));
    if (reason) throw new Refused(`database: ${reason}; ${outcome}`, { cause, mayPass });
    throw cause;
  }
}

/** SQLSTATEs of what ends by itself or by an administrator: PostgreSQL takes no writes, is busy, full, starting or failing. */
const MAY_PASS = /^(08|25006|40|53|55|57|58)/;

type Failure = Error & { readonly code?: unknown; readonly constraint?: string };

/** Why an established connection broke: the network failed, or PostgreSQL closed it. */
export function whyBroken({ code, message }: Failure): string | undefined {
  if (code === PROTOCOL_ERROR || CLOSED_BY_POSTGRES.test(String(code))) return message;
  if (NETWORK.test(String(code))) return String(code);
  return DRIVER.test(message) ? 'it was closed' : undefined;
}

/** PostgreSQL's own words say why: a timeout, an administrator, a crash. */
const CLOSED_BY_POSTGRES = /^(25P0[34]|57P0[1245])$/;
const NETWORK =
  /^(E(CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|NETRESET)$|ERR_SSL_)/;

/** The driver's words, which have no code. */
const DRIVER = /^(Connection terminated|Client has encountered a connection error|Query read timeout)/;

/** What an operator can do about an error of PostgreSQL's. Its detail isn't shown, because it repeats values. */
function whyRefused({ code, constraint, message: lines }: Failure): string | undefined {
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return undefined;
  const message = lines.replaceAll(/\s+/g, ' '); // Citus adds what a node says behind a line break
  if (/\bfe_sendauth:/.test(message)) return `${NODE_ASKS_FOR_PASSWORD} (${message})`;
  if (constraint === 'audit_log_pkey')
    return `the next number of the audit log is taken: as the owner of the schema run ${CONTINUE_NUMBERS} (${message})`;
  const advice = ADVICE.find(([states]) => states.test(code))?.[1];
  return advice === undefined ? message : `${advice} (${message})`;
}

/** Lets the audit log go on behind its last entry: a logical replication copies rows, and not the number that is next. */
export const CONTINUE_NUMBERS =
  "SELECT setval('keyroster.audit_log_number_seq', max(number)) FROM keyroster.audit_log";

const NODE_ASKS_FOR_PASSWORD =
  'a node of Citus asks for a password, and the coordinator has none for this role: docs/postgresql.md#citus';

/** By SQLSTATE. PostgreSQL's message stands behind it, which may be in any language. */
const ADVICE: readonly [states: RegExp, advice: string][] = [
  [
    /^25006$/,
    'this PostgreSQL takes no writes: name the primary in the URL, or turn default_transaction_read_only off',
  ],
  [
    /^42703$/,
    'a column is gone: run it again, as a declared field may have been removed meanwhile; otherwise restore the schema keyroster, or migrate to another database',
  ],
  [
    /^(3F000|42P01|42883)$/,
    "the schema keyroster isn't as this release made it: restore it, or migrate to another database",
  ],
  [/^08/, "a node of Citus can't be reached from the coordinator: check that it runs"],
  [/^23503$/, 'the organization was deleted meanwhile'],
  [/^40/, 'other transactions write the same rows in another order: run it again'],
  [/^55P03$/, 'another transaction holds the rows or the table: run it again when that is done'],
  [/^42501$/, 'the role may not do this: docs/postgresql.md lists the roles'],
  [/^53100$/, 'the disk of the database is full: free some space and run it again'],
  [/^53200$/, 'PostgreSQL has no memory left: run it again when it has'],
  [/^57014$/, 'it was canceled: by a statement_timeout of the role, or by somebody'],
  [
    /^(58030|XX001|XX002)$/,
    'the disk of the database failed, or its files are damaged: look into the log of PostgreSQL',
  ],
];

/** Pages of a command have the service's limit: one over which `serve` would fail isn't listed by a command either. */
export function explainTimeout(error: unknown): never {
  const { cause } = error as { cause?: { code?: unknown } };
  if (error instanceof StoreUnavailable && cause?.code === QUERY_CANCELED)
    throw new StoreUnavailable(SLOW_PAGE, { cause });
  throw error;
}

/** SQLSTATE of a statement that `statement_timeout` ended. */
const QUERY_CANCELED = '57014';
const SLOW_PAGE =
  'PostgreSQL: a page took longer than the 5 s that it may take: "keyroster check" tells whether an index is missing; ' +
  'else run it again when PostgreSQL has less to do, or when what locks the table has ended';

/** SQLSTATE of a row that refers to one that there isn't, or that others refer to when it is deleted. */
export const FOREIGN_KEY_VIOLATION = '23503';

/** Of keys that PostgreSQL should have written, and says nothing of. */
export function keysDropped(
  count: number,
  what: 'neither inserted nor found' | 'not changed' = 'neither inserted nor found',
): Refused {
  return new Refused(
    `database: ${count} of these API keys ${count === 1 ? 'is' : 'are'} ${what}: a trigger or row-level security of ` +
      'keyroster.api_keys drops or hides them; nothing was changed: drop the trigger, or let this role see all keys',
  );
}
