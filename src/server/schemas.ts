/** The operation's shapes, once: the checks, the OpenAPI document and the tests are all made from these. */
import Type from 'typebox';
import { CREATOR_TYPES, STATUSES } from '../roster/api-key.ts';
import { ID_PATTERN } from '../roster/identifier.ts';
import { LIMIT } from '../roster/list-query.ts';
import { PARTIAL_KEY_HINT_PATTERN } from '../roster/partial-key-hint.ts';

const id = (description: string) => Type.String({ pattern: ID_PATTERN, description });
const nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** The query parameters, all optional (spec, section 4). The rules in parse-list-query.ts put each into words. */
export const queryParameters = {
  limit: Type.Integer({
    minimum: LIMIT.least,
    maximum: LIMIT.most,
    default: LIMIT.default,
    description: 'Items per page.',
  }),
  after_id: id('An API key to list after: the `last_id` of the page before. Not together with `before_id`.'),
  before_id: id('An API key to list before: the `first_id` of the page after. Not together with `after_id`.'),
  status: Type.Enum(STATUSES, { description: 'Only keys with this status.' }),
  workspace_id: id('Only keys of this workspace.'),
  created_by_user_id: id('Only keys that this user or service account created.'),
};

export const ApiKeyRecord = Type.Object(
  {
    id: id('Identifier of the API key.'),
    type: Type.Literal('api_key'),
    name: Type.String({ description: 'Name of the key.' }),
    created_at: Type.String({
      format: 'date-time',
      pattern: '^[0-9-]{10}T[0-9:]{8}\\.[0-9]{6}Z$',
      description: 'Creation time: RFC 3339, UTC, six decimals.',
    }),
    created_by: Type.Object(
      { id: id('Identifier of the creator.'), type: Type.Enum(CREATOR_TYPES) },
      { additionalProperties: false, description: 'Who created the key.' },
    ),
    partial_key_hint: Type.String({
      pattern: PARTIAL_KEY_HINT_PATTERN,
      description:
        'The masked key: a prefix, an ellipsis, the last few characters. The key itself is never returned.',
    }),
    status: Type.Enum(STATUSES),
    workspace_id: nullable(
      Type.String({ pattern: ID_PATTERN }),
      'The workspace; null is the default workspace.',
    ),
  },
  { additionalProperties: false },
);

export const ApiKeyList = Type.Object(
  {
    data: Type.Array(Type.Ref('#/components/schemas/ApiKey'), { description: 'Newest first.' }),
    first_id: nullable(Type.String(), 'ID of the first item, for `before_id`; null when there is none.'),
    last_id: nullable(Type.String(), 'ID of the last item, for `after_id`; null when there is none.'),
    has_more: Type.Boolean({ description: 'Whether there are more results in the requested direction.' }),
  },
  { additionalProperties: false },
);

export const ERROR_TYPES = [
  'invalid_request_error',
  'authentication_error',
  'not_found_error',
  'rate_limit_error',
  'overloaded_error',
  'api_error',
] as const;

export const ErrorAnswer = Type.Object(
  {
    type: Type.Literal('error'),
    error: Type.Object(
      { type: Type.Enum(ERROR_TYPES), message: Type.String() },
      { additionalProperties: false },
    ),
    request_id: Type.String({ pattern: '^req_[0-9a-f]{32}$' }),
  },
  { additionalProperties: false },
);
