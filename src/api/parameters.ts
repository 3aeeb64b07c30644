import { FILTER_NAMES, type FilterName, filters } from '../roster/filters.ts';
import { type ApiKeyId, ID_PATTERN, ID_RULE, parseId } from '../roster/identifier.ts';
import { LIMIT } from '../roster/list-query.ts';

const cursor = (description: string) => ({
  parse: parseId<ApiKeyId>,
  rule: ID_RULE,
  schema: { type: 'string', pattern: ID_PATTERN },
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
    rule: `must be a whole number from ${LIMIT.min} to ${LIMIT.max}`,
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
};

export type ParameterName = keyof typeof parameters;

/** The parsed parameters of a request. */
export type ParameterValues = {
  [Name in ParameterName]?: NonNullable<ReturnType<(typeof parameters)[Name]['parse']>>;
};

/** Decimal digits without a sign, leading zeros, a fraction or an exponent. */
function parseLimit(text: string): number | undefined {
  const limit = /^[1-9]\d*$/.test(text) ? Number(text) : 0;
  return limit >= LIMIT.min && limit <= LIMIT.max ? limit : undefined;
}
