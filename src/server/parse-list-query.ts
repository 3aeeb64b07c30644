import { distance } from 'fastest-levenshtein';
import { Compile } from 'typebox/compile';
import type { Status } from '../roster/api-key.ts';
import { type ApiKeyId, type CreatorId, ID_RULE, type WorkspaceId } from '../roster/identifier.ts';
import { type Cursor, type Filter, LIMIT, type ListQuery } from '../roster/list-query.ts';
import { printableName } from '../roster/printable-name.ts';
import { ApiError } from './errors.ts';
import { queryParameters } from './schemas.ts';

type Name = keyof typeof queryParameters;
const NAMES = Object.keys(queryParameters) as Name[];

/** What a value has to be, in words: the other half of each schema. */
const rules: Record<Name, string> = {
  limit: `must be a whole number from ${LIMIT.least} to ${LIMIT.most}`,
  after_id: ID_RULE,
  before_id: ID_RULE,
  status: `must be one of ${queryParameters.status.enum.join(', ')}`,
  workspace_id: ID_RULE,
  created_by_user_id: ID_RULE,
};

const schemas = Object.fromEntries(NAMES.map(name => [name, Compile(queryParameters[name])]));

/** Generated SDKs append `beta=true`; it means nothing here. */
const IGNORED = 'beta';
/** A message names this many unknown parameters and counts the rest, so that no request makes it grow without end. */
const MOST_UNKNOWN = 10;

/**
 * Reads a query string (without the `?`). Throws a 400 that tells every rule it breaks, each with the name of its
 * parameter and never with the value.
 */
export function parseListQuery(queryString: string): ListQuery {
  const given = new Map<Name, string>();
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
      else if (!seen.has(name)) given.set(name, value);
      seen.add(name);
    }
  }

  for (const [name, value] of given) {
    if (value === '') problems.push(`${name}: must not be empty`);
    else if (!schemas[name]?.Check(name === 'limit' ? wholeNumber(value) : value))
      problems.push(`${name}: ${rules[name]}`);
  }
  if (given.has('after_id') && given.has('before_id'))
    problems.push('after_id, before_id: give one of them, not both');
  problems.push(...unknownParameters(unknown));

  if (problems.length > 0) throw new ApiError(400, [...new Set(problems)].join('; '));
  return queryOf(given);
}

function queryOf(given: ReadonlyMap<Name, string>): ListQuery {
  return {
    limit: Number(given.get('limit') ?? LIMIT.default),
    cursor: cursorOf('after', given.get('after_id')) ?? cursorOf('before', given.get('before_id')),
    filter: {
      ...(given.has('status') && { status: given.get('status') as Status }),
      ...(given.has('workspace_id') && { workspaceId: given.get('workspace_id') as WorkspaceId }),
      ...(given.has('created_by_user_id') && { creatorId: given.get('created_by_user_id') as CreatorId }),
    } satisfies Filter,
  };
}

function cursorOf(direction: Cursor['direction'], id: string | undefined): Cursor | null {
  return id === undefined ? null : { direction, id: id as ApiKeyId };
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

/** Plain decimal digits without a sign, leading zeros, a fraction or an exponent; anything else is no number here. */
function wholeNumber(text: string): number | undefined {
  return /^(0|[1-9]\d*)$/.test(text) ? Number(text) : undefined;
}

function unknownParameters(names: ReadonlySet<string>): string[] {
  const problems = [...names].slice(0, MOST_UNKNOWN).map(name => {
    return `${printableName(name)}: unknown parameter, did you mean ${nearest(name)}?`;
  });
  if (names.size > MOST_UNKNOWN) problems.push(`and ${names.size - MOST_UNKNOWN} more unknown parameters`);
  return problems;
}

function nearest(name: string): Name {
  const start = name.slice(0, 64).toLowerCase();
  const difference = (known: Name) => distance(start, known) / Math.max(start.length, known.length);
  return NAMES.reduce((best, known) => (difference(known) < difference(best) ? known : best));
}
