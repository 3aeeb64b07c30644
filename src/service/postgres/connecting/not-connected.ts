import { printableName } from '../../../shared/record/fields.ts';
import { PROTOCOL_ERROR } from './guard-protocol.ts';
import type { Host, PostgresUrl } from './url.ts';

/** No connection was opened. The message says to which host, why, and what to do, and has no other value. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected';
}

/** It may be otherwise in a moment, with the same settings. */
export class PostgresAway extends NotConnected {}

/** PostgreSQL asks for a password, and there is none. */
export class MissingPassword extends Error {
  override readonly name = 'MissingPassword';
}

/** The session is another one than is asked for. The message says which, and what to do. */
export class WrongSession extends Error {
  override readonly name = 'WrongSession';
}

type Failure = Error & { readonly code?: string; readonly routine?: string };

/** Whether another host would say the same: the user isn't let in. */
export function isFinal(error: unknown): boolean {
  return error instanceof MissingPassword || /^28/.test((error as Failure).code ?? '');
}

/**
 * Whether PostgreSQL doesn't run, is starting, full, or behind a network that doesn't work. A name that is unknown may be one of a
 * machine that isn't there yet.
 */
export function isAway(error: unknown): boolean {
  const { code, message } = error as Failure;
  return AWAY.test(code ?? '') || /^(timeout expired|Query read timeout|Connection terminated)/.test(message);
}

const AWAY =
  /^(E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|ADDRNOTAVAIL|NOENT)|53300|57P0[1-3])$/;

export function placeOf({ host, port }: Host): string {
  if (host.startsWith('/')) return host;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const NOT_POSTGRES = 'what answers is not PostgreSQL: check the port of the URL';
const REFUSED = 'PostgreSQL refused the user or the password';

/** Why a host could not be connected to, and what an operator can do about it. PostgreSQL's own words may be in any language. */
export function explanationOf(error: unknown, url: PostgresUrl): string {
  const { code = '', message, routine } = error as Failure;
  if (error instanceof MissingPassword)
    return 'PostgreSQL asks for a password: put it into the URL, PGPASSWORD or the file ~/.pgpass';
  // The driver's messages for what has no code.
  if (message === 'The server does not support SSL connections')
    return 'PostgreSQL has no TLS: turn "ssl" on in its settings';
  if (message === 'There was an error establishing an SSL connection') return NOT_POSTGRES;
  if (code === PROTOCOL_ERROR) return `${NOT_POSTGRES} (${message})`;
  if (/^(timeout expired|Query read timeout)$/.test(message) || code === 'ETIMEDOUT')
    return `no answer within ${url.connectTimeoutMs / 1000} s (connect_timeout): check the host, the port and the firewalls between`;
  if (/^Connection terminated/.test(message) || code === 'ECONNRESET' || code === 'EPIPE')
    return "the connection was closed before it was ready: check that the port of the URL is PostgreSQL's, with no TLS of its own in front";
  if (code === '3D000') return `there is no ${databaseOf(url)}: create it first`;
  if (code === '28000') return loginRefused(routine, url);
  if (code === '08P01')
    return `a pooler in front of PostgreSQL refused (${message}): check the user, the password, the database and the parameters of the URL`;
  const reason = REASONS.find(([codes]) => codes.test(code))?.[1];
  return reason === undefined ? message : reason.replace('CODE', code);
}

/** Without a database in the URL it is the user's name. */
function databaseOf({ database }: PostgresUrl): string {
  return printableName(database) === database ? `database ${database}` : 'such database';
}

/** By the code of Node or PostgreSQL's SQLSTATE. */
const REASONS: readonly [codes: RegExp, reason: string][] = [
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'the certificate of PostgreSQL is for another host: use a name in the URL that the certificate has',
  ],
  [
    /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_)/, // its chain, its time, or its host name
    'the certificate of PostgreSQL is refused (CODE): sslrootcert in the URL names the file of its CA',
  ],
  [
    /^ERR_(SSL|OSSL)_/,
    'TLS failed (CODE): check the files of sslrootcert, sslcert and sslkey, and the TLS versions of both sides',
  ],
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
    "can't reach PostgreSQL (CODE): check the host and the port of the URL, and that PostgreSQL runs",
  ],
  [
    /^(ENOENT|ENOTDIR)$/,
    'there is no Unix socket of PostgreSQL in this folder: check the folder and the port of the URL',
  ],
  [/^28P01$/, REFUSED],
  [/^42501$/, 'the role may not connect to this database: GRANT CONNECT ON DATABASE'],
  [
    /^53300$/,
    'PostgreSQL has no connection left: raise max_connections, or the CONNECTION LIMIT of the role or the database',
  ],
  [/^57P03$/, 'PostgreSQL is starting, stopping or recovering: try again when it is up'],
];

/** Which function of PostgreSQL refused, as its words may be in any language. */
function loginRefused(routine: string | undefined, { ssl }: PostgresUrl): string {
  if (routine === 'InitializeSessionUserId') return 'there is no such role, or it has no LOGIN';
  if (routine !== 'ClientAuthentication') return REFUSED;
  const [how, remedy] =
    ssl.mode === 'disable'
      ? ['without', 'add sslmode=verify-full to the URL, or a line to pg_hba.conf']
      : ['with', 'add one, or sslcert and sslkey if it asks for a client certificate'];
  return `pg_hba.conf has no line that lets this user into this database from here ${how} TLS: ${remedy}`;
}
