import { didYouMean } from '../../nearest-name.ts';
import { Refused } from '../../roster/errors.ts';
import { systemUserName } from '../../system-user.ts';
import {
  CERTIFICATE_CHECKS,
  type ChannelBinding,
  DEFAULT_PORT,
  PARAMETERS,
  type Parameter,
  type ParameterName,
  type ParameterValues,
  type SessionAttrs,
  type SslMode,
} from './parameters.ts';
import { NAMES, type Parts, partsOf } from './url-parts.ts';

/** Where PostgreSQL is, and how to connect: what a URL and the environment say, both checked. */
export interface PostgresUrl {
  /** At least one, in the order in which they are tried. */
  readonly hosts: readonly Host[];
  readonly user: string;
  /** A function, so that nothing that prints this prints the password. `undefined`: it isn't in the URL or the environment. */
  readonly password: (() => string) | undefined;
  readonly database: string;
  readonly ssl: Ssl;
  /** `undefined`: whatever the purpose of the connection needs. */
  readonly sessionAttrs: SessionAttrs | undefined;
  /** For each host. */
  readonly connectTimeoutMs: number;
  readonly applicationName: string;
  readonly options: string | undefined;
}

export interface Host {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

export interface Ssl {
  readonly mode: SslMode;
  /** Files. */
  readonly rootCert: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly negotiation: 'postgres' | 'direct';
  readonly channelBinding: ChannelBinding;
}

type Environment = Readonly<Record<string, string | undefined>>;

const CONNECT_TIMEOUT_SECONDS = 3;

/** Throws `Refused`, with a message that repeats no value: a password may be anywhere in what is malformed. */
export function parsePostgresUrl(url: string, environment: Environment = process.env): PostgresUrl {
  const given = valuesOf(partsOf(url), environment);
  const { sslrootcert, sslcert, sslkey, sslnegotiation = 'postgres', channel_binding = 'disable' } = given;
  const user = given.user ?? systemUserName();
  if (user === undefined) throw new Refused('database: the URL has no user, and PGUSER is not set');
  const { password } = given;
  const namesTls = sslrootcert ?? sslcert ?? sslkey ?? (sslnegotiation === 'direct' || undefined);
  const mode = modeOf(given) ?? (namesTls === undefined ? 'disable' : 'verify-full');
  return {
    hosts: hostsOf(given),
    user,
    password: password === undefined ? undefined : () => password,
    database: given.dbname ?? user,
    ssl: {
      mode,
      rootCert: sslrootcert === NODES_CAS ? undefined : sslrootcert,
      cert: sslcert,
      key: sslkey,
      negotiation: sslnegotiation,
      channelBinding: channel_binding,
    },
    sessionAttrs: given.target_session_attrs,
    connectTimeoutMs: (given.connect_timeout ?? CONNECT_TIMEOUT_SECONDS) * 1000,
    applicationName: given.application_name ?? 'keyroster',
    options: given.options,
  };
}

/** What libpq calls the certificate authorities that the operating system trusts. */
const NODES_CAS = 'system';

function modeOf({ sslmode, ssl }: ParameterValues): SslMode | undefined {
  if (sslmode && ssl && CERTIFICATE_CHECKS[sslmode] !== CERTIFICATE_CHECKS[ssl])
    throw new Refused('database: sslmode and ssl of the URL contradict each other: leave ssl out');
  return sslmode ?? ssl;
}

/** For a command that writes: to a server that takes writes, unless the URL says which one. */
export function forWriting(url: PostgresUrl): PostgresUrl {
  return { ...url, sessionAttrs: url.sessionAttrs ?? 'read-write' };
}

function hostsOf({ host = ['localhost'], port = [DEFAULT_PORT] }: ParameterValues): Host[] {
  if (port.length !== 1 && port.length !== host.length)
    throw new Refused(`database: port: ${PARAMETERS.port.rule}`);
  return host.map((name, index) => ({ host: name, port: port[index] ?? port[0] ?? DEFAULT_PORT }));
}

/** Of each parameter: what the URL says, else its environment variable. An empty variable counts as none, as in libpq. */
function valuesOf(parts: Parts, environment: Environment): ParameterValues {
  const values: Partial<Record<ParameterName, unknown>> = {};
  for (const name of NAMES) {
    const parameter: Parameter<unknown> = PARAMETERS[name];
    // `ssl` has no variable, and says the same as `sslmode`.
    const isSaid = name === 'sslmode' && parts.has('ssl');
    const variable = !isSaid && parameter.variable !== null && environment[parameter.variable];
    const text = parts.get(name) ?? (variable || undefined);
    if (text === undefined) continue;
    values[name] = parameter.parse(text);
    if (values[name] !== undefined) continue;
    const where = parts.has(name) ? `${name} of the URL` : parameter.variable;
    throw new Refused(`database: ${where}: ${parameter.rule}${didYouMean(text, parameter.proposed)}`);
  }
  return values as ParameterValues;
}
