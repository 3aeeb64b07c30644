import { Refused } from '../roster/errors.ts';
import { PROTOCOL_ERROR } from './guard-protocol.ts';

/** Runs work that is one transaction. Throws `Refused` for an error of the connection or of PostgreSQL. */
export async function orRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Refused) throw error;
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

/** PostgreSQL returned an error (a SQLSTATE), or could not be reached (`ECONNREFUSED` and others). */
function isRefusedByPostgres({ code, syscall, message }: Failure): boolean {
  const sqlState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  const unreachable = syscall === 'connect' || syscall === 'getaddrinfo' || message === 'timeout expired';
  return (
    sqlState || unreachable || code === 'ERR_INVALID_URL' || message === NO_TLS || isBadCertificate(code)
  );
}

/** The driver's error when TLS is asked for and PostgreSQL has none. */
const NO_TLS = 'The server does not support SSL connections';

/** Why Node refuses a certificate: its chain, its time, or its host name. */
function isBadCertificate(code: unknown): boolean {
  return /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_)/.test(String(code));
}

/** What an operator can do about the most common errors. PostgreSQL's detail isn't shown, because it repeats values. */
function explanationOf({ code, message }: Error & { code?: string }): string {
  if (message === NO_TLS) return 'PostgreSQL has no TLS: turn "ssl" on in its settings';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'the certificate of PostgreSQL is for another host: use a name in the URL that the certificate has';
  if (isBadCertificate(code))
    return `the certificate of PostgreSQL is refused (${code}): sslrootcert in the URL names the file of its CA`;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
      return `can't reach PostgreSQL (${code}): check the host and the port of the URL`;
    case 'ERR_INVALID_URL':
      return 'the URL is malformed: percent-encode the special characters of its password';
    case '28P01':
    case '28000':
      return 'PostgreSQL refused the user or the password';
    case '3D000':
      return 'there is no such database: create it first';
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
