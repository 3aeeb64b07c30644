import { Refused } from '../roster/errors.ts';
import { NotConnected } from './connecting/not-connected.ts';
import { PROTOCOL_ERROR } from './guard-protocol.ts';

/** Runs work that is one transaction. Throws `Refused` for an error of the connection or of PostgreSQL. */
export async function orRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Refused) throw error;
    if (error instanceof NotConnected)
      throw new Refused(`database: ${error.message}; nothing was changed`, { cause: error });
    if (isLostConnection(error))
      throw new Refused(`database: ${error.message}; ${OUTCOME_UNKNOWN}`, { cause: error });
    if (isRefusedByPostgres(error))
      throw new Refused(`database: ${explanationOf(error)}; nothing was changed`, { cause: error });
    throw error;
  }
}

/** The transaction may have been committed although its response was lost. */
const OUTCOME_UNKNOWN = 'the connection broke: check whether it was done before you run it again';

type Failure = Error & { code?: unknown; syscall?: unknown };

/** An established connection broke: the network failed, or PostgreSQL closed it (57P01, 57P02). */
function isLostConnection({ code, syscall, message }: Failure): boolean {
  const lost = syscall !== 'connect' && LOST_CONNECTION.includes(String(code));
  return lost || /^(Connection terminated|Client has encountered a connection error)/.test(message);
}

const LOST_CONNECTION = [
  '57P01',
  '57P02',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  PROTOCOL_ERROR,
];

/** PostgreSQL returned an error, which has a SQLSTATE. */
function isRefusedByPostgres({ code }: Failure): boolean {
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
}

/** What an operator can do about the most common errors. PostgreSQL's detail isn't shown, because it repeats values. */
function explanationOf({ code, message }: Failure): string {
  switch (code) {
    case '25006':
      return 'this PostgreSQL takes no writes: name the primary in the URL, or turn default_transaction_read_only off';
    case '42501':
      return `the role may not do this (${message}): docs/operations.md lists the roles`;
    case '40P01':
    case '40001':
      return `other transactions write the same rows in another order (${code}): run it again`;
    case '53100':
      return 'the disk of the database is full: free some space and run it again';
    default:
      return message;
  }
}
