/** The JSON Schemas of the answers, from which the OpenAPI document is made. Patterns and values are those of the domain. */

import { type ApiKeyRecord, CREATOR_TYPES } from '../../shared/record/api-key-record.ts';
import { KEY_ID_PATTERN, OWNER_ID_PATTERN } from '../../shared/record/identifier.ts';
import type { LifecycleField } from '../../shared/record/lifecycle.ts';
import { PARTIAL_KEY_HINT_PATTERN } from '../../shared/record/partial-key-hint.ts';
import { STATUSES } from '../../shared/record/status.ts';
import { type DeclaredField, declaredSchema } from '../roster/declared-fields.ts';

const text = (description: string) => ({ type: 'string', description });
const ownerId = (description: string) => ({ type: 'string', pattern: OWNER_ID_PATTERN, description });
const nullable = (schema: object, description: string) => ({
  anyOf: [schema, { type: 'null' }],
  description,
});

/** An object with exactly these properties. */
const object = <Properties extends object>(properties: Properties, more: { description?: string } = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  additionalProperties: false,
  ...more,
});

const contractProperties = {
  id: { type: 'string', pattern: KEY_ID_PATTERN, description: 'Identifier of the API key.' },
  type: { type: 'string', const: 'api_key' },
  name: text('Name of the key.'),
  created_at: {
    type: 'string',
    format: 'date-time',
    pattern: '^[0-9-]{10}T[0-9:]{8}\\.[0-9]{6}Z$',
    description: 'Creation time: RFC 3339, UTC, six decimals.',
  },
  created_by: object(
    {
      id: { type: 'string', pattern: OWNER_ID_PATTERN, description: 'Identifier of the creator.' },
      type: { type: 'string', enum: CREATOR_TYPES },
    },
    { description: 'Who created the key.' },
  ),
  partial_key_hint: {
    type: 'string',
    pattern: PARTIAL_KEY_HINT_PATTERN,
    description:
      'The masked key: a prefix, an ellipsis, the last few characters. The key itself is never returned.',
  },
  status: { type: 'string', enum: STATUSES },
  workspace_id: nullable(
    { type: 'string', pattern: OWNER_ID_PATTERN },
    'The workspace; null is the default workspace.',
  ),
} satisfies Record<keyof ApiKeyRecord, object>;

const time = { type: 'string', format: 'date-time' };

/** In every document, so that clients that are made of it know them by name. */
const lifecycleProperties = {
  expires_at: nullable(
    time,
    "When the key expires; null: never. Absent where the vendor doesn't declare it.",
  ),
  last_used_at: nullable(time, "When the key was last used. Absent where the vendor doesn't declare it."),
} satisfies Record<LifecycleField, object>;

const withLifecycle = <Schema extends { readonly properties: object }>(schema: Schema) => ({
  ...schema,
  properties: { ...schema.properties, ...lifecycleProperties, ...schema.properties },
});

/** Of what a version's record is made. */
const parts = { contract: contractProperties, ownerId, nullable, object, time };
export type PropertiesOfParts = (given: typeof parts) => Readonly<Record<string, object>>;

/** The schemas of the answers in these versions, by date. The declared fields stand after those of a version. */
export function schemasOf(
  versions: ReadonlyMap<string, { readonly properties: PropertiesOfParts }>,
  fields: readonly DeclaredField[],
) {
  const declared = Object.fromEntries(fields.map(field => [field.name, declaredSchema(field)]));
  // A field of a version's own hides a declared one of the same name.
  const record = (own: object) => withLifecycle(object({ ...own, ...declared, ...own }));
  const others = [...versions].flatMap(([date, { properties }]) => {
    const own = properties(parts);
    const name = `ApiKey_${date.replaceAll('-', '_')}`;
    return own === contractProperties ? [] : { date, name, schema: record(own) };
  });
  const first = { $ref: '#/components/schemas/ApiKey' };
  const all = {
    description: `${others.map(({ date, name }) => `${name} in version ${date}, `).join('')}ApiKey in any other.`,
    oneOf: [first, ...others.map(({ name }) => ({ $ref: `#/components/schemas/${name}` }))],
  };
  return {
    ApiKey: record(contractProperties),
    ...Object.fromEntries(others.map(({ name, schema }) => [name, schema])),
    ApiKeyList: listSchema(others.length === 0 ? first : all),
    ErrorAnswer: errorSchema,
  };
}

const listSchema = (items: object) =>
  object({
    data: { type: 'array', items, description: 'Newest first.' },
    first_id: nullable({ type: 'string' }, 'ID of the first item, for `before_id`; null when there is none.'),
    last_id: nullable({ type: 'string' }, 'ID of the last item, for `after_id`; null when there is none.'),
    has_more: {
      type: 'boolean',
      description: 'Whether there are more results in the requested direction.',
    },
  });

export const ERROR_TYPES = [
  'invalid_request_error',
  'authentication_error',
  'not_found_error',
  'rate_limit_error',
  'overloaded_error',
  'api_error',
] as const;

const errorSchema = object({
  type: { type: 'string', const: 'error' },
  error: object({ type: { type: 'string', enum: ERROR_TYPES }, message: { type: 'string' } }),
  request_id: { type: 'string', pattern: '^req_[0-9a-f]{32}$' },
});
