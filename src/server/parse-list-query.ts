import { distance } from 'fastest-levenshtein';
import { STATUSES, type Status } from '../roster/api-key.ts';
import { type ApiKeyId, type CreatorId, ID_RULE, parseId, type WorkspaceId } from '../roster/identifier.ts';
import { type Cursor, type Filter, LIMIT, type ListQuery } from '../roster/list-query.ts';
import { printableName } from '../roster/printable-name.ts';
import { ApiError } from './errors.ts';
import { queryParameters } from './schemas.ts';

type Name = keyof typeof queryParameters;
const NAMES = Object.keys(queryParameters) as Name[];

/** How each value is read (`undefined`: it breaks the rule), and the rule in words. */
const parameters = {
  limit: { parse: parseLimit, rule: `must be a whole number from ${LIMIT.min} to ${LIMIT.max}` },
  after_id: { parse: parseId<ApiKeyId>, rule: ID_RULE },
  before_id: { parse: parseId<ApiKeyId>, rule: ID_RULE },
  status: { parse: parseStatus, rule: `must be one of ${STATUSES.join(', ')}` },
  workspace_id: { parse: parseId<WorkspaceId>, rule: ID_RULE },
  created_by_user_id: { parse: parseId<CreatorId>, rule: ID_RULE },
} satisfies Record<Name, { parse: (text: string) => unknown; rule: string }>;

/** What was given, parsed. */
type Given = { [N in Name]?: NonNullable<ReturnType<(typeof parameters)[N]['parse']>> };

/** Generated SDKs append `beta=true`; it means nothing here. */
const IGNORED = 'beta';
/** A message names this many unknown parameters and counts the rest, so that no request makes it grow without end. */
const MAX_UNKNOWN = 10;

/**
 * Reads a query string (without the `?`). Throws a 400 that tells every rule it breaks, each with the name of its
 * parameter and never with the value.
 */
export function parseListQuery(queryString: string): ListQuery {
  const texts = new Map<Name, string>();
  const problems: string[] = [];
  const unknown = new Set<string>();
  const seen = new Set<string>();

  for (const pair of queryString.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined) problems.push('a parameter name: malformed percent-encoding');
    else if (name === IGNORED) continue;
    else if (!isKnown(name)) unknown.add(name);
    else {
      if (seen.has(name)) problems.push(`${name}: given more than once`);
      if (value === undefined) problems.push(`${name}: malformed percent-encoding`);
      else if (!seen.has(name)) texts.set(name, value);
      seen.add(name);
    }
  }

  const given: Given = {};
  for (const [name, text] of texts) {
    const { parse, rule } = parameters[name];
    const value = parse(text);
    if (text === '') problems.push(`${name}: must not be empty`);
    else if (value === undefined) problems.push(`${name}: ${rule}`);
    else Object.assign(given, { [name]: value });
  }
  if (texts.has('after_id') && texts.has('before_id'))
    problems.push('after_id, before_id: give one of them, not both');
  problems.push(...unknownParameters(unknown));

  if (problems.length > 0) throw new ApiError(400, [...new Set(problems)].join('; '));
  return queryOf(given);
}

function queryOf(given: Given): ListQuery {
  const { limit = LIMIT.default, after_id, before_id, status, workspace_id, created_by_user_id } = given;
  return {
    limit,
    cursor: cursorOf('after', after_id) ?? cursorOf('before', before_id),
    filter: {
      ...(status && { status }),
      ...(workspace_id && { workspaceId: workspace_id }),
      ...(created_by_user_id && { creatorId: created_by_user_id }),
    } satisfies Filter,
  };
}

function cursorOf(direction: Cursor['direction'], id: ApiKeyId | undefined): Cursor | null {
  return id === undefined ? null : { direction, id };
}

function isKnown(name: string): name is Name {
  return Object.hasOwn(queryParameters, name);
}

/** As HTML forms and URLSearchParams encode; `undefined` when the percent-encoding is malformed. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Plain decimal digits without a sign, leading zeros, a fraction or an exponent. */
function parseLimit(text: string): number | undefined {
  const limit = /^[1-9]\d*$/.test(text) ? Number(text) : 0;
  return limit >= LIMIT.min && limit <= LIMIT.max ? limit : undefined;
}

function parseStatus(text: string): Status | undefined {
  return STATUSES.find(status => status === text);
}

function unknownParameters(names: ReadonlySet<string>): string[] {
  const problems = [...names].slice(0, MAX_UNKNOWN).map(name => {
    return `${printableName(name)}: unknown parameter, did you mean ${nearest(name)}?`;
  });
  if (names.size > MAX_UNKNOWN) problems.push(`and ${names.size - MAX_UNKNOWN} more unknown parameters`);
  return problems;
}

function nearest(name: string): Name {
  const start = name.slice(0, 64).toLowerCase();
  const difference = (known: Name) => distance(start, known) / Math.max(start.length, known.length);
  return NAMES.reduce((best, known) => (difference(known) < difference(best) ? known : best));
}
