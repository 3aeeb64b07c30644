/** What of a connection can be set: by a parameter of the URL, or else by the environment variable that libpq reads. */
import { isIPv6 } from 'node:net';

export interface Parameter<T> {
  readonly variable: string;
  /** Returns `undefined` for a text that breaks the rule. */
  readonly parse: (text: string) => T | undefined;
  readonly rule: string;
}

/** Whether the certificate is checked; `null`: no TLS. Nothing falls back to less, and no mode checks a part of it. */
export const CERTIFICATE_CHECKS = {
  disable: null,
  'no-verify': false,
  prefer: true,
  require: true,
  'verify-ca': true,
  'verify-full': true,
} as const;
export type SslMode = keyof typeof CERTIFICATE_CHECKS;

const SESSION_ATTRS = ['any', 'read-write', 'primary', 'standby'] as const;
export type SessionAttrs = (typeof SESSION_ATTRS)[number];

/** A folder, a name or an IPv4 address. */
const HOST = /^(\/[^\p{Cc}]+|[^\s\p{C}/@?#:[\]]+)$/u;

export const PARAMETERS = {
  host: {
    variable: 'PGHOST',
    parse: listOf(text => (HOST.test(text) || isIPv6(text) ? text : undefined)),
    rule: 'must be a host, or several with commas between them',
  },
  port: {
    variable: 'PGPORT',
    // An empty one in a list is the default.
    parse: listOf(text => (text === '' ? DEFAULT_PORT : wholeNumber(text, 65_535))),
    rule: 'must be a whole number from 1 to 65535, or one for each host',
  },
  dbname: text('PGDATABASE'),
  user: text('PGUSER'),
  password: text('PGPASSWORD'),
  sslmode: oneOf('PGSSLMODE', Object.keys(CERTIFICATE_CHECKS) as SslMode[]),
  sslrootcert: text('PGSSLROOTCERT'),
  sslcert: text('PGSSLCERT'),
  sslkey: text('PGSSLKEY'),
  target_session_attrs: oneOf('PGTARGETSESSIONATTRS', SESSION_ATTRS),
  connect_timeout: {
    variable: 'PGCONNECT_TIMEOUT',
    parse: text => wholeNumber(text, 600),
    rule: 'must be a whole number of seconds from 1 to 600',
  },
  application_name: text('PGAPPNAME'),
  options: text('PGOPTIONS'),
} as const satisfies Record<string, Parameter<unknown>>;

export const DEFAULT_PORT = 5432;

export type ParameterName = keyof typeof PARAMETERS;
export const PARAMETER_NAMES = Object.keys(PARAMETERS) as ParameterName[];
export type ParameterValues = {
  readonly [Name in ParameterName]?: NonNullable<ReturnType<(typeof PARAMETERS)[Name]['parse']>>;
};

function text(variable: string): Parameter<string> {
  return {
    variable,
    parse: given => (/^\P{Cc}+$/u.test(given) ? given : undefined),
    rule: 'must have a character and no control character, such as a line break',
  };
}

function oneOf<const Value extends string>(variable: string, values: readonly Value[]): Parameter<Value> {
  return {
    variable,
    parse: given => values.find(value => value === given),
    rule: `must be one of ${values.join(', ')}`,
  };
}

function listOf<T>(parse: (text: string) => T | undefined): (text: string) => readonly T[] | undefined {
  return given => {
    const parsed = given.split(',').map(parse);
    return parsed.includes(undefined) ? undefined : (parsed as T[]);
  };
}

function wholeNumber(given: string, max: number): number | undefined {
  return /^[1-9]\d{0,5}$/.test(given) && Number(given) <= max ? Number(given) : undefined;
}
