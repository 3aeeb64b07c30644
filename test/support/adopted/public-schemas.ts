/**
 * Names and types of the columns that public projects give their tables of API keys in PostgreSQL. The rows are the tests'.
 */

export interface PublicSchema {
  readonly project: string;
  readonly table: string;
  readonly given?: string;
  readonly columns: string;
  /** Of the row with the number `i`. */
  readonly row: string;
  /** What the proposal leaves to a person; or the field that nobody can decide without a change of the table, and what it says. */
  readonly decided: Readonly<Record<string, object>> | readonly [field: string, todo: RegExp];
  /** As the project reads its columns: organization, ID, name, creation, creator and its type, hint, status, workspace, expiry, last use. */
  readonly listed?: string;
}

const HASH = "encode(sha256(i::text::bytea), 'hex')";
const RANDOM = "left(translate(encode(sha256(('id' || i)::bytea), 'base64'), '+/=', 'abc'), 43)";
const uuid = (of: string) => `md5((${of})::text)::uuid`;
const TIME = "timestamptz '2026-01-01Z' + i / 3 * interval '1 day'";
const NO_HINT = { constant: '____...____' };
const ACTIVE = { constant: 'active' };
/** In the past and in the future, each another one. */
const time = (from: string) =>
  `(timestamptz '2026-11-24 00:00:00.123456+00' ${from} (i - 20) * interval '37 hours')`;
const [EXPIRY, USE] = [time('+'), time("- 500 * interval '1 day' +")];
const some = (sql: string, none = 'NULL') => `CASE WHEN i % 4 > 0 THEN ${sql} ELSE ${none} END`;
const seconds = (sql: string) => `extract(epoch FROM ${sql})::bigint`;
const unix = (column: string, none: number) =>
  `CASE WHEN ${column} <> ${none} THEN timestamptz 'epoch' + ${column} * interval '1 s' END`;
const UTC = "AT TIME ZONE 'UTC'";

export const publicSchemas: readonly PublicSchema[] = [
  {
    project: 'Coder',
    table: 'public.api_keys',
    given: `CREATE TYPE login_type AS ENUM ('password', 'github', 'token')`,
    columns: `id text PRIMARY KEY, hashed_secret bytea NOT NULL, user_id uuid NOT NULL, last_used timestamptz NOT NULL,
      expires_at timestamptz NOT NULL, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL, login_type login_type NOT NULL,
      lifetime_seconds bigint NOT NULL, ip_address inet NOT NULL, token_name text NOT NULL`,
    row: `'key' || i, sha256(i::text::bytea), ${uuid('i % 3')}, ${some(USE, "'0001-01-01 00:00:00+00'")}, ${EXPIRY}, ${TIME}, now(), 'token',
      86400, '0.0.0.0', 'Token'`,
    decided: { partial_key_hint: NO_HINT, status: ACTIVE },
    listed: `user_id, id, token_name, created_at, user_id, 'user', '____...____', 'active', NULL, expires_at,
      CASE WHEN last_used > '0002-01-01' THEN last_used END`,
  },
  {
    project: 'Grafana',
    table: 'public.api_key',
    columns: `id serial PRIMARY KEY, org_id bigint NOT NULL, name varchar(190) NOT NULL, key varchar(190) NOT NULL, role varchar(255) NOT NULL,
      created timestamp NOT NULL, updated timestamp NOT NULL, expires bigint, service_account_id bigint, last_used_at timestamp, is_revoked bool`,
    row: `i, i % 3, 'Key ' || i, ${HASH}, 'Viewer', '2025-01-01', '2025-01-01', ${some(seconds(EXPIRY))}, 7, ${some(`${USE} ${UTC}`)}, i % 5 = 0`,
    decided: { created_by_type: { constant: 'service_account' }, partial_key_hint: NO_HINT },
    listed: `org_id, id, name, created ${UTC}, service_account_id, 'service_account', '____...____',
      CASE WHEN is_revoked THEN 'archived' ELSE 'active' END, NULL, to_timestamp(expires), last_used_at ${UTC}`,
  },
  {
    project: 'GitLab',
    table: 'public.personal_access_tokens',
    columns: `id bigint PRIMARY KEY, user_id bigint NOT NULL, name varchar NOT NULL, revoked boolean DEFAULT false, expires_at date,
      created_at timestamp NOT NULL, updated_at timestamp NOT NULL, impersonation boolean NOT NULL, token_digest varchar,
      last_used_at timestamptz, organization_id bigint NOT NULL`,
    row: `i, 7, 'Key ' || i, i % 5 = 0, ${some(`(${EXPIRY})::date`)}, '2025-01-01', '2025-01-01', false, ${HASH}, ${some(USE)}, i % 3`,
    decided: { partial_key_hint: NO_HINT },
    listed: `organization_id, id, name, created_at ${UTC}, user_id, 'user', '____...____', CASE WHEN revoked THEN 'archived' ELSE 'active' END,
      NULL, expires_at::timestamp ${UTC}, last_used_at`,
  },
  {
    project: 'one-api',
    table: 'public.tokens',
    columns: `id bigserial PRIMARY KEY, user_id bigint, key char(48), status bigint DEFAULT 1, name text, created_time bigint,
      accessed_time bigint, expired_time bigint DEFAULT -1, remain_quota bigint DEFAULT 0, unlimited_quota boolean DEFAULT false`,
    row: `i, i % 3, left(${HASH}, 48), 1 + i % 2, 'Key ' || i, 1735689600 + i, ${some(seconds(USE), '0')}, ${some(seconds(EXPIRY), '-1')}`,
    decided: {
      partial_key_hint: NO_HINT,
      status: { column: 'status', values: { active: [1, 3, 4], inactive: [2] } },
    },
    listed: `user_id, id, name, ${unix('created_time', 0)}, user_id, 'user', '____...____', CASE status WHEN 2 THEN 'inactive' ELSE 'active' END,
      NULL, ${unix('expired_time', -1)}, ${unix('accessed_time', 0)}`,
  },
  {
    project: 'Gitea',
    table: 'public.access_token',
    columns: `id bigserial PRIMARY KEY, uid bigint, name varchar(255), token_hash varchar(255) UNIQUE, token_salt varchar(255),
      token_last_eight varchar(255), scope varchar(255), created_unix bigint, updated_unix bigint`,
    row: `i, i % 3, 'Key ' || i, ${HASH}, left(${HASH}, 10), right(${HASH}, 8), 'all', 1735689600 + i / 3, 1735689600 + i`,
    decided: { organization_id: { column: 'uid' }, created_by_id: { column: 'uid' }, status: ACTIVE },
    listed: `uid, id, name, to_timestamp(created_unix), uid, 'user', '____...' || token_last_eight, 'active', NULL, NULL, NULL`,
  },
  {
    project: 'Sentry',
    table: 'public.sentry_apitoken',
    columns: `id bigserial PRIMARY KEY, application_id bigint, user_id int NOT NULL, token varchar(64) NOT NULL UNIQUE,
      refresh_token varchar(64) UNIQUE, expires_at timestamptz, date_added timestamptz NOT NULL, scopes bigint NOT NULL`,
    row: `i, NULL, i % 3, ${HASH}, NULL, ${some(EXPIRY)}, ${TIME}, 0`,
    decided: { name: { constant: '' }, partial_key_hint: NO_HINT, status: ACTIVE },
    listed: `user_id, id, '', date_added, user_id, 'user', '____...____', 'active', NULL, expires_at, NULL`,
  },
  {
    project: 'Outline',
    table: 'public."apiKeys"',
    columns: `id uuid PRIMARY KEY, name varchar NOT NULL, secret varchar NOT NULL UNIQUE, "userId" uuid, "createdAt" timestamptz NOT NULL,
      "updatedAt" timestamptz NOT NULL, "deletedAt" timestamptz, "expiresAt" timestamptz, "lastActiveAt" timestamptz`,
    row: `${uuid('i')}, 'Key', 'ol_api_' || ${HASH}, ${uuid('i % 3')}, ${TIME}, now(), CASE WHEN i % 4 = 0 THEN now() END,
      ${some(EXPIRY)}, ${some(USE)}`,
    decided: { partial_key_hint: NO_HINT },
    listed: `"userId", id, name, "createdAt", "userId", 'user', '____...____', CASE WHEN "deletedAt" IS NULL THEN 'active' ELSE 'archived' END,
      NULL, "expiresAt", "lastActiveAt"`,
  },
  {
    project: 'Plane',
    table: 'public.api_tokens',
    columns: `id uuid PRIMARY KEY, created_at timestamptz NOT NULL, label varchar(255) NOT NULL, description text NOT NULL, is_active boolean NOT NULL,
      last_used timestamptz, token varchar(255) NOT NULL UNIQUE, user_type smallint NOT NULL, created_by_id uuid, user_id uuid NOT NULL,
      workspace_id uuid, expired_at timestamptz, is_service boolean NOT NULL`,
    row: `${uuid('i')}, ${TIME}, 'Key', '', i % 4 > 0, NULL, 'plane_api_' || md5(i::text), 0, NULL, ${uuid('i % 5')}, ${uuid('i % 3')}, NULL, i % 2 = 0`,
    decided: {
      organization_id: { column: 'workspace_id' },
      created_by_id: { column: 'user_id' },
      created_by_type: { sql: "CASE WHEN is_service THEN 'service_account' ELSE 'user' END" },
      partial_key_hint: NO_HINT,
    },
    listed: `workspace_id, id, label, created_at, user_id, CASE WHEN is_service THEN 'service_account' ELSE 'user' END, '____...____',
      CASE WHEN is_active THEN 'active' ELSE 'inactive' END, workspace_id, expired_at, last_used`,
  },
  {
    project: 'n8n',
    table: 'public.user_api_keys',
    columns: `id varchar(36) PRIMARY KEY, "userId" uuid NOT NULL, label varchar(100) NOT NULL, "apiKey" varchar NOT NULL UNIQUE,
      "createdAt" timestamptz(3) NOT NULL, "updatedAt" timestamptz(3) NOT NULL, UNIQUE ("userId", label)`,
    row: `left(${RANDOM}, 16), ${uuid('i % 3')}, 'Key ' || i, ${HASH}, ${TIME}, now()`,
    decided: { partial_key_hint: NO_HINT, status: ACTIVE },
    listed: `"userId", id, label, "createdAt", "userId", 'user', '____...____', 'active', NULL, NULL, NULL`,
  },
  {
    project: 'Infisical',
    table: 'public.api_keys',
    columns: `id varchar(36) PRIMARY KEY, name varchar NOT NULL, "lastUsed" timestamptz, "expiresAt" timestamptz, "secretHash" varchar NOT NULL,
      "createdAt" timestamptz NOT NULL, "updatedAt" timestamptz NOT NULL, "userId" uuid NOT NULL`,
    row: `${uuid('i')}, 'Key', ${some(USE)}, ${some(EXPIRY)}, '$2b$10$' || left(${RANDOM}, 40), ${TIME}, now(), ${uuid('i % 3')}`,
    decided: { partial_key_hint: NO_HINT, status: ACTIVE },
    listed: `"userId", id, name, "createdAt", "userId", 'user', '____...____', 'active', NULL, "expiresAt", "lastUsed"`,
  },
  {
    project: 'ZeFer',
    table: 'public."ApiKey"',
    columns: `id text PRIMARY KEY, name text NOT NULL, organization text, key text NOT NULL, "lastUsed" timestamp(3),
      "createdAt" timestamp(3) NOT NULL, "ownerId" text NOT NULL`,
    row: `'c' || i, 'Key', CASE i % 3 WHEN 0 THEN 'A' WHEN 1 THEN 'B' END, ${HASH}, NULL, timestamp '2026-01-01', 'u' || i % 5`,
    decided: {
      organization_id: { column: 'organization', unlisted: true },
      partial_key_hint: NO_HINT,
      status: ACTIVE,
    },
    listed: `organization, id, name, "createdAt" ${UTC}, "ownerId", 'user', '____...____', 'active', NULL, NULL, "lastUsed" ${UTC}`,
  },
  {
    project: 'PostHog',
    table: 'public.posthog_personalapikey',
    columns: `id varchar(50) PRIMARY KEY, label varchar(40) NOT NULL, value varchar(50) UNIQUE, mask_value varchar(11),
      secure_value varchar(300) UNIQUE, created_at timestamptz NOT NULL, last_used_at timestamptz, user_id int NOT NULL`,
    row: `${RANDOM}, 'Key', NULL, 'phx_...abcd', 'sha256$' || ${HASH}, ${TIME}, NULL, i % 3`,
    decided: [
      'id',
      /only the key or its hash is unique, add one: ALTER TABLE public\.posthog_personalapikey ADD/,
    ],
  },
  {
    project: 'Mattermost',
    table: 'public.useraccesstokens',
    columns: `id varchar(26) PRIMARY KEY, token varchar(26) UNIQUE, userid varchar(26), description varchar(512), isactive boolean`,
    row: `'k' || i, left(${RANDOM}, 26), 'u' || i % 3, 'Key', true`,
    decided: ['created_at', /^name the column with the time at which the key was made$/],
  },
  {
    project: 'Sourcebot',
    table: 'public."ApiKey"',
    columns: `name text NOT NULL, prefix text NOT NULL, "createdAt" timestamp(3) NOT NULL, "lastUsedAt" timestamp(3), "orgId" int NOT NULL,
      "createdById" text NOT NULL, PRIMARY KEY (prefix, "createdById")`,
    row: `'Key', 'p' || i, now(), NULL, i % 3, 'u' || i % 5`,
    decided: ['id', /^name the column with the ID of the key.*add one: ALTER TABLE public\."ApiKey" ADD/],
  },
];
