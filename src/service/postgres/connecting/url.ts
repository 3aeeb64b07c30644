import { didYouMean } from '../../../shared/nearest-name.ts';
import { Refused } from '../../../shared/record/faults.ts';
import { printableName } from '../../../shared/record/fields.ts';
import { systemUserName } from '../../system-user.ts';
import {
  DEFAULT_PORT,
  PARAMETER_NAMES,
  PARAMETERS,
  type Parameter,
  type ParameterName,
  type ParameterValues,
  type SessionAttrs,
  type SslMode,
} from './parameters.ts';

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
}

const CONNECT_TIMEOUT_SECONDS = 3;
/** What libpq calls the certificate authorities that the operating system trusts. */
const NODES_CAS = 'system';

/** Throws `Refused`, with a message that repeats no value: a password may be anywhere in what is malformed. */
export function parsePostgresUrl(
  url: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): PostgresUrl {
  const given = valuesOf(partsOf(url), environment);
  const { password, sslrootcert, sslcert, sslkey } = given;
  const user = given.user ?? systemUserName();
  if (user === undefined) throw new Refused('database: the URL has no user, and PGUSER is not set');
  const namesTls = (sslrootcert ?? sslcert ?? sslkey) !== undefined;
  return {
    hosts: hostsOf(given),
    user,
    password: password === undefined ? undefined : () => password,
    database: given.dbname ?? user,
    ssl: {
      mode: given.sslmode ?? (namesTls ? 'verify-full' : 'disable'),
      rootCert: sslrootcert === NODES_CAS ? undefined : sslrootcert,
      cert: sslcert,
      key: sslkey,
    },
    sessionAttrs: given.target_session_attrs,
    connectTimeoutMs: (given.connect_timeout ?? CONNECT_TIMEOUT_SECONDS) * 1000,
    applicationName: given.application_name ?? 'keyroster',
    options: given.options,
  };
}

/** For a command that writes: to a server that takes writes, unless the URL says which one. */
export function forWriting(url: PostgresUrl): PostgresUrl {
  return { ...url, sessionAttrs: url.sessionAttrs ?? 'read-write' };
}

/** The URL with `…` for its password, wherever that is: also for what it has in the place of a user, where it names that at its end. */
export function withoutPassword(url: string): string {
  partsOf(url); // of a malformed one nobody knows where its password is
  const login = /[?&]user=/.test(url) ? /^([^/]*\/\/)[^/?#]*(?=@)/ : /^([^/]*\/\/[^:/?#]*:)[^/?#]*(?=@)/;
  return url.replace(login, '$1…').replaceAll(/([?&]password=)[^&#]*/g, '$1…');
}

function hostsOf({ host = ['localhost'], port = [DEFAULT_PORT] }: ParameterValues): Host[] {
  if (port.length !== 1 && port.length !== host.length)
    throw new Refused(`database: port: ${PARAMETERS.port.rule}`);
  return host.map((name, index) => ({ host: name, port: port[index] ?? port[0] ?? DEFAULT_PORT }));
}

/** What the URL says of each, as text. */
type Parts = ReadonlyMap<ParameterName, string>;

/** Of each parameter: what the URL says, else its environment variable. An empty variable counts as none, as in libpq. */
function valuesOf(parts: Parts, environment: Readonly<Record<string, string | undefined>>): ParameterValues {
  const values: Partial<Record<ParameterName, unknown>> = {};
  for (const name of PARAMETER_NAMES) {
    const { variable, parse, rule }: Parameter<unknown> = PARAMETERS[name];
    const text = parts.get(name) ?? (environment[variable] || undefined);
    if (text === undefined) continue;
    values[name] = parse(text);
    if (values[name] !== undefined) continue;
    const where = parts.has(name) ? `${name} of the URL` : variable;
    throw new Refused(`database: ${where}: ${rule}`);
  }
  return values as ParameterValues;
}

/** An `@` behind the `?` is the end of a password that isn't encoded. */
const URL_PARTS = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^/?#@]*))?(?:\?([^#@]*))?$/;
/** A name of digits alone is a port of `db1,db2:5433,5434`. */
const HOST_PARTS = /^(?:\[([0-9A-Fa-f:.]+)\]|(?!\d+(?::|$))([^:[\]]+))(?::(\d*))?$/;

/** A parameter after the `?` replaces what is before it. */
function partsOf(url: string): Parts {
  const [, login = '', hosts = '', database = '', query = ''] = URL_PARTS.exec(url) ?? malformed();
  const parts = new Map<ParameterName, string>();
  const set = (name: ParameterName, text: string) => {
    if (text !== '') parts.set(name, decoded(text));
  };
  const [user = '', ...password] = login.split(':');
  set('user', user);
  set('password', password.join(':'));
  if (hosts !== '') {
    const each = hosts.split(',').map(host => HOST_PARTS.exec(host) ?? wrongHosts());
    set('host', each.map(([, address, name]) => address ?? name).join(','));
    const ports = each.map(([, , , port = '']) => port);
    if (ports.some(port => port !== '')) set('port', ports.join(','));
  }
  set('dbname', database);
  for (const [name, text] of parametersOf(query)) parts.set(name, text);
  return parts;
}

function parametersOf(query: string): Parts {
  const parameters = new Map<ParameterName, string>();
  for (const parameter of query === '' ? [] : query.split('&')) {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(parameter) ?? malformed();
    if (!isKnown(name)) {
      // Behind a password that isn't encoded it may be a part of that.
      const shown = parameters.has('password') ? '(unprintable)' : printableName(name);
      const advice = didYouMean(name, PARAMETER_NAMES, `; the parameters are ${PARAMETER_NAMES.join(', ')}`);
      throw new Refused(`database: ${shown}: unknown parameter of the URL${advice}`);
    }
    if (parameters.has(name)) throw new Refused(`database: ${name}: is twice in the URL`);
    parameters.set(name, decoded(value.replaceAll('+', ' '))); // `URLSearchParams` writes a space so
  }
  return parameters;
}

function isKnown(name: string): name is ParameterName {
  return Object.hasOwn(PARAMETERS, name);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return malformed();
  }
}

/** Or what was taken for hosts: the beginning of a password without a user. */
function wrongHosts(): never {
  throw new Refused(
    'database: the hosts of the URL must be HOST or HOST:PORT, with a comma between several; an IPv6 address stands in brackets, ' +
      'the folder of a socket in the parameter host. Percent-encode the special characters of a password',
  );
}

function malformed(): never {
  throw new Refused('database: the URL is malformed: percent-encode the special characters of its password');
}
