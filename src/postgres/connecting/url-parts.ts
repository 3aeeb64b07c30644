import { nameMeant } from '../../nearest-name.ts';
import { Refused } from '../../roster/errors.ts';
import { printableName } from '../../roster/fields.ts';
import { FOREIGN_PARAMETERS } from './foreign-parameters.ts';
import { PARAMETERS, type ParameterName } from './parameters.ts';

/** What the URL says of each, as text. */
export type Parts = ReadonlyMap<ParameterName, string>;

const URL_PARTS = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^/?#@]*))?(?:\?([^#]*))?$/;
/** A name of digits alone is a port of `db1,db2:5433,5434`. */
const HOST_PARTS = /^(?:\[([0-9A-Fa-f:.]+)\]|(?!\d+(?::|$))([^:[\]]+))(?::(\d*))?$/;

/** What the URL says, as texts. A parameter after the `?` replaces what is before it. */
export function partsOf(url: string): Parts {
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

/** The URL with `…` for its password, wherever that is: also for what it has in the place of a user, where it names that at its end. */
export function withoutPassword(url: string): string {
  partsOf(url); // of a malformed one nobody knows where its password is
  const login = /[?&]user=/.test(url) ? /^([^/]*\/\/)[^/?#]*(?=@)/ : /^([^/]*\/\/[^:/?#]*:)[^/?#]*(?=@)/;
  return url.replace(login, '$1…').replaceAll(/([?&]password=)[^&#]*/g, '$1…');
}

function parametersOf(query: string): Parts {
  const parameters = new Map<ParameterName, string>();
  for (const parameter of query === '' ? [] : query.split('&')) {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(parameter) ?? malformed();
    if (!isKnown(name)) throw new Refused(`database: ${unknownParameter(name)}`);
    if (parameters.has(name)) throw new Refused(`database: ${name}: is twice in the URL`);
    parameters.set(name, decoded(value.replaceAll('+', ' '))); // `URLSearchParams` writes a space so
  }
  return parameters;
}

export const NAMES = Object.keys(PARAMETERS) as ParameterName[];

function isKnown(name: string): name is ParameterName {
  return Object.hasOwn(PARAMETERS, name);
}

const UNKNOWN_PARAMETER = `the URL has an unknown parameter; the parameters are ${NAMES.join(', ')}`;

/** A name that is far from every known one, or near to one that isn't ours, isn't repeated: it may be a part of a password. */
function unknownParameter(given: string): string {
  const meant = nameMeant(given, [...FOREIGN_PARAMETERS, ...NAMES]);
  if (meant === undefined) return UNKNOWN_PARAMETER;
  if (isKnown(meant)) return `${printableName(given)}: unknown parameter of the URL, did you mean ${meant}?`;
  return meant.toLowerCase() === given.toLowerCase()
    ? `${meant}: Keyroster has no such parameter: take it out of the URL`
    : UNKNOWN_PARAMETER;
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
