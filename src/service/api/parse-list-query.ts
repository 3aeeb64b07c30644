import { didYouMean } from '../../shared/nearest-name.ts';
import { printableName } from '../../shared/record/fields.ts';
import { FILTER_NAMES, type Filter, type FilterName, filters } from '../../shared/record/filters.ts';
import {
  type ApiKeyId,
  KEY_ID_PATTERN,
  KEY_ID_RULE,
  parseKeyId,
  type WorkspaceId,
} from '../../shared/record/identifier.ts';
import {
  CREATION_TIME_PATTERN,
  CREATION_TIME_RULE,
  type CreationRange,
  LIMIT,
  LIMIT_RULE,
  type ListQuery,
  parseCreationTime,
  parseLimit,
} from '../../shared/record/list-query.ts';
import { ApiError } from './errors.ts';

const cursor = (description: string) => ({
  parse: parseKeyId<ApiKeyId>,
  rule: KEY_ID_RULE,
  schema: { type: 'string', pattern: KEY_ID_PATTERN },
  description,
});

const creationTime = (description: string) => ({
  parse: parseCreationTime,
  rule: CREATION_TIME_RULE,
  schema: { type: 'string', format: 'date-time', pattern: CREATION_TIME_PATTERN },
  description,
});

type FilterParameters = {
  [Name in FilterName as (typeof filters)[Name]['parameter']]: (typeof filters)[Name];
};

/**
 * The query parameters, all optional (docs/api.md#parameters). `parse` returns `undefined` for a text that breaks the rule; the
 * messages of errors have the `rule`, the OpenAPI document has the `schema` and the `description`.
 */
export const parameters = {
  limit: {
    parse: parseLimit,
    rule: LIMIT_RULE,
    schema: { type: 'integer', minimum: LIMIT.min, maximum: LIMIT.max, default: LIMIT.default },
    description: 'Items per page.',
  },
  after_id: cursor(
    'An API key to list after: the `last_id` of the page before. Not together with `before_id`.',
  ),
  before_id: cursor(
    'An API key to list before: the `first_id` of the page after. Not together with `after_id`.',
  ),
  ...(Object.fromEntries(
    FILTER_NAMES.map(name => [filters[name].parameter, filters[name]]),
  ) as FilterParameters),
  created_from: creationTime('Only keys created at this time or later.'),
  created_before: creationTime('Only keys created before this time.'),
};

export type ParameterName = keyof typeof parameters;

/** The parsed parameters of a request. */
export type ParameterValues = {
  [Name in ParameterName]?: NonNullable<ReturnType<(typeof parameters)[Name]['parse']>>;
};

const NAMES = Object.keys(parameters);

/** JavaScript's `URLSearchParams` writes these for a value that isn't there, and an empty list would pass for an answer. */
const LEAVE_OUT = 'leave the parameter out where there is no value';

/** Generated SDKs append `beta=true`, which has no meaning here. */
const IGNORED_PARAMETER = 'beta';
/** A message names at most this many unknown parameters, which limits its length, and counts the others. */
const MAX_UNKNOWN = 10;

/** Some SDKs type these two filters, which would need the key's expiry and the default workspace in the indexes. */
const EXPIRED_RULE = `${filters.status.rule}: expired is computed from expires_at, so list the active keys and compare that with the time`;
const DEFAULT_WORKSPACE_RULE =
  'must not be the default workspace, which no filter names: list all keys, and look at their scope';

/**
 * Parses a query string (without the `?`). Throws a 400 whose message names every parameter that breaks a rule, and the rule,
 * but never a value. `defaultWorkspace` is an ID that no stored record has.
 */
export function parseListQuery(queryString: string, defaultWorkspace?: WorkspaceId): ListQuery {
  const problems: string[] = [];
  const { texts, unknown } = textsOf(queryString, problems);
  const values = valuesOf(texts, problems);
  if (texts.has('after_id') && texts.has('before_id'))
    problems.push('after_id, before_id: give one of them, not both');
  if (defaultWorkspace !== undefined && values.workspace_id === defaultWorkspace)
    problems.push(`workspace_id: ${DEFAULT_WORKSPACE_RULE}`);
  if (unknown.size > 0) problems.push(...unknownParameters(unknown));
  if (problems.length > 0) throw new ApiError(400, [...new Set(problems)].join('; '));
  return queryOf(values);
}

/** Splits the query string into the texts of the known parameters and the names of the others. */
function textsOf(
  queryString: string,
  problems: string[],
): { texts: Map<ParameterName, string>; unknown: Set<string> } {
  const texts = new Map<ParameterName, string>();
  const unknown = new Set<string>();
  const seen = new Set<string>();

  for (const pair of queryString.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined) problems.push('a parameter name: malformed percent-encoding');
    else if (name === IGNORED_PARAMETER) continue;
    else if (!isKnown(name)) unknown.add(name);
    else {
      if (seen.has(name)) problems.push(`${name}: given more than once`);
      if (value === undefined) problems.push(`${name}: malformed percent-encoding`);
      else if (!seen.has(name)) texts.set(name, value);
      seen.add(name);
    }
  }
  return { texts, unknown };
}

function valuesOf(texts: ReadonlyMap<ParameterName, string>, problems: string[]): ParameterValues {
  const values: ParameterValues = {};
  for (const [name, text] of texts) {
    const { parse, rule } = parameters[name];
    const value = parse(text);
    if (text === '') problems.push(`${name}: must not be empty`);
    else if (text === 'null' || text === 'undefined')
      problems.push(`${name}: is the text ${text}: ${LEAVE_OUT}`);
    else if (value === undefined)
      problems.push(`${name}: ${text === 'expired' && name === 'status' ? EXPIRED_RULE : rule}`);
    else Object.assign(values, { [name]: value });
  }
  return values;
}

function queryOf(values: ParameterValues): ListQuery {
  const { limit = LIMIT.default, after_id, before_id, created_from: from, created_before } = values;
  const filter: Record<string, string> = {};
  for (const name of FILTER_NAMES) {
    const value = values[filters[name].parameter];
    if (value !== undefined) filter[name] = value;
  }
  const before = before_id === undefined ? null : { direction: 'before' as const, id: before_id };
  const cursor = after_id === undefined ? before : { direction: 'after' as const, id: after_id };
  const query = { limit, cursor, filter: filter as Filter };
  if (from === undefined && created_before === undefined) return query;
  const created: CreationRange = {
    ...(from !== undefined && { from }),
    ...(created_before !== undefined && { before: created_before }),
  };
  return { ...query, created };
}

function isKnown(name: string): name is ParameterName {
  return Object.hasOwn(parameters, name);
}

/** Decodes what HTML forms and `URLSearchParams` encode; `undefined` when the percent-encoding is malformed. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function unknownParameters(names: ReadonlySet<string>): string[] {
  const problems = [...names]
    .slice(0, MAX_UNKNOWN)
    .map(name => `${printableName(name)}: unknown parameter${didYouMean(name, NAMES)}`);
  if (names.size > MAX_UNKNOWN) problems.push(`and ${names.size - MAX_UNKNOWN} more unknown parameters`);
  return [...problems, `the parameters are ${NAMES.join(', ')}`];
}
