import type { Vendor } from '../../shared/record/vendor.ts';
import { VERSION } from '../../shared/version.ts';
import type { ApiVersion } from '../roster/api-version.ts';
import { type DeclaredField, NO_FIELDS } from '../roster/declared-fields.ts';
import { xApiKey } from './admin-keys.ts';
import type { ErrorStatus } from './errors.ts';
import { parameters } from './parse-list-query.ts';
import { type Authentication, LIST_API_KEYS_PATH } from './request.ts';
import { schemasOf } from './schemas.ts';
import { acceptedVersions } from './versions.ts';

const text = { type: 'string' };

const everyAnswer = {
  'request-id': { description: 'Names this request in the log.', required: true, schema: text },
  'cache-control': { required: true, schema: { type: 'string', const: 'no-store' } },
  'x-content-type-options': { required: true, schema: { type: 'string', const: 'nosniff' } },
};

const rateLimit = {
  'ratelimit-policy': { description: 'The quota that counts: `q` requests in `w` seconds.', schema: text },
  ratelimit: {
    description: 'Where the caller stands: `r` are left for the next `t` seconds.',
    schema: text,
  },
};

const retry = {
  'retry-after': { description: 'Seconds to wait.', required: true, schema: { type: 'integer' } },
};

const answer = (description: string, schema: string, headers: object) => ({
  description,
  headers,
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
});

const error = (description: string, headers: object = everyAnswer) =>
  answer(description, 'ErrorAnswer', headers);

type Security = Pick<Authentication, 'securitySchemes' | 'challenge'>;

const BY_DEFAULT = { authentication: xApiKey, versions: [], basePath: '' };

/** What requests may have. */
export interface Accepted {
  readonly authentication: Security;
  readonly versions: readonly ApiVersion[];
  /** What comes before the paths, such as `/api`. */
  readonly basePath?: string;
}

/** The OpenAPI 3.1 document, from the tables of parameters and schemas. */
export function openApiDocument(
  vendor: Vendor,
  { authentication, versions, basePath = '' }: Accepted = BY_DEFAULT,
  fields: readonly DeclaredField[] = NO_FIELDS,
) {
  const { securitySchemes } = authentication;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Keyroster',
      version: VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: "Lists an organization's API keys. Read-only; no key material.",
    },
    servers: [{ url: basePath || '/' }],
    security: Object.keys(securitySchemes).map(name => ({ [name]: [] })),
    paths: {
      [LIST_API_KEYS_PATH]: {
        get: {
          operationId: 'listApiKeys',
          summary: "List the organization's API keys, newest first",
          parameters: parametersOf(vendor, versions),
          responses: responsesOf(vendor, authentication),
        },
      },
    },
    components: { securitySchemes, schemas: schemasOf(acceptedVersions(versions), fields) },
  };
}

function parametersOf(vendor: Vendor, versions: readonly ApiVersion[]) {
  return [
    {
      name: `${vendor}-version`,
      in: 'header',
      required: true,
      description: 'API version.',
      schema: { type: 'string', enum: [...acceptedVersions(versions).keys()] },
    },
    ...Object.entries(parameters).map(([name, { schema, description }]) => ({
      name,
      in: 'query',
      description,
      schema,
    })),
  ];
}

function responsesOf(vendor: Vendor, { challenge }: Security) {
  /** The organization's header is required where the answer can't come before authentication. */
  const authenticated = (required: boolean) => ({
    ...everyAnswer,
    ...rateLimit,
    [`${vendor}-organization-id`]: { description: "The caller's organization.", required, schema: text },
    [`${vendor}-scope`]: {
      description: 'All that the caller may see of it, as filters; absent: everything.',
      schema: text,
    },
  });
  return {
    200: answer('A page.', 'ApiKeyList', authenticated(true)),
    400: error(
      'A parameter, a cursor or the version header breaks its rule, or the request is malformed.',
      authenticated(false),
    ),
    401: error('The credential is missing or not valid.', {
      ...everyAnswer,
      ...(challenge && {
        'www-authenticate': { required: true, schema: { type: 'string', const: challenge } },
      }),
    }),
    405: error('Another method than GET or HEAD.', {
      ...everyAnswer,
      allow: { required: true, schema: text },
    }),
    408: error('The request did not arrive in time.'),
    414: error('The URL is too long.'),
    429: error('Too many requests of this caller, or failed authentications from this address.', {
      ...authenticated(false),
      ...retry,
    }),
    431: error('The headers are too large.'),
    500: error('A fault of the service.', authenticated(false)),
    503: error('The store can not be reached, or there are more requests than can be answered in time.', {
      ...authenticated(false),
      ...retry,
    }),
  } satisfies Record<200 | Exclude<ErrorStatus, 404>, object>; // a 404 is of another path
}
