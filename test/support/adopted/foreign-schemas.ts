/** Tables of API keys as public projects make them in PostgreSQL, with what tells of expiry and of the last use. */

export interface ForeignSchema {
  readonly project: string;
  readonly table: string;
  /** Makes the table and fills it. In `i` is the number of the row. */
  readonly sql: string;
  /** The fields that the proposal leaves to a person. */
  readonly decided: Readonly<Record<string, object>>;
  /** When a key expires, and when it was last used, as the project reads its own columns; `null`: it has none. */
  readonly expires: string | null;
  readonly lastUsed: string | null;
}

const ROWS = 'FROM generate_series(1, 40) AS i';
const HASH = "encode(sha256(i::text::bytea), 'hex')";
const NO_HINT = { constant: '____...____' };
const ACTIVE = { constant: 'active' };
/** In the past and in the future, each another one. */
const time = (from: string) =>
  `(timestamptz '2026-11-24 00:00:00.123456+00' ${from} (i - 20) * interval '37 hours')`;
const [EXPIRY, USE] = [time('+'), time("- 500 * interval '1 day' +")];
const some = (sql: string, none = 'NULL') => `CASE WHEN i % 4 > 0 THEN ${sql} ELSE ${none} END`;
const seconds = (sql: string) => `extract(epoch FROM ${sql})::bigint`;

export const foreignSchemas: readonly ForeignSchema[] = [
  {
    project: 'Coder',
    table: 'public.api_keys',
    sql: `CREATE TYPE login_type AS ENUM ('password', 'github', 'token');
      CREATE TABLE api_keys (id text PRIMARY KEY, hashed_secret bytea NOT NULL, user_id uuid NOT NULL,
        last_used timestamp with time zone NOT NULL, expires_at timestamp with time zone NOT NULL,
        created_at timestamp with time zone NOT NULL, updated_at timestamp with time zone NOT NULL,
        login_type login_type NOT NULL, lifetime_seconds bigint DEFAULT 86400 NOT NULL,
        ip_address inet DEFAULT '0.0.0.0'::inet NOT NULL, token_name text DEFAULT '' NOT NULL);
      INSERT INTO api_keys SELECT 'key' || i, sha256(i::text::bytea), '6b4b1c2e-8b8c-4a8e-9a51-2f1f0c5a7d01',
        ${some(USE, "'0001-01-01 00:00:00+00'")}, ${EXPIRY}, now(), now(), 'token' ${ROWS}`,
    decided: { partial_key_hint: NO_HINT, status: ACTIVE },
    expires: 'expires_at',
    lastUsed: "CASE WHEN last_used > '0002-01-01' THEN last_used END",
  },
  {
    project: 'Grafana',
    table: 'public.api_key',
    sql: `CREATE TABLE api_key (id SERIAL PRIMARY KEY, org_id BIGINT NOT NULL, name VARCHAR(190) NOT NULL, key VARCHAR(190) NOT NULL,
        role VARCHAR(255) NOT NULL, created TIMESTAMP NOT NULL, updated TIMESTAMP NOT NULL, expires BIGINT NULL,
        service_account_id BIGINT NULL, last_used_at TIMESTAMP NULL, is_revoked BOOL NULL DEFAULT false);
      INSERT INTO api_key SELECT i, 1, 'Key ' || i, ${HASH}, 'Viewer', '2025-01-01', '2025-01-01', ${some(seconds(EXPIRY))}, 7,
        ${some(`${USE} AT TIME ZONE 'UTC'`)} ${ROWS}`,
    decided: { created_by_type: { constant: 'service_account' }, partial_key_hint: NO_HINT },
    expires: 'to_timestamp(expires)',
    lastUsed: "last_used_at AT TIME ZONE 'UTC'",
  },
  {
    project: 'GitLab',
    table: 'public.personal_access_tokens',
    sql: `CREATE TABLE personal_access_tokens (id bigint PRIMARY KEY, user_id bigint NOT NULL, name character varying NOT NULL,
        revoked boolean DEFAULT false, expires_at date, created_at timestamp without time zone NOT NULL,
        updated_at timestamp without time zone NOT NULL, impersonation boolean DEFAULT false NOT NULL, token_digest character varying,
        last_used_at timestamp with time zone, organization_id bigint DEFAULT 1 NOT NULL);
      INSERT INTO personal_access_tokens SELECT i, 7, 'Key ' || i, false, ${some(`(${EXPIRY})::date`)}, '2025-01-01', '2025-01-01', false,
        ${HASH}, ${some(USE)}, 1 ${ROWS}`,
    decided: { partial_key_hint: NO_HINT },
    expires: `expires_at::timestamp AT TIME ZONE 'UTC'`,
    lastUsed: 'last_used_at',
  },
  {
    project: 'one-api',
    table: 'public.tokens',
    sql: `CREATE TABLE tokens (id bigserial PRIMARY KEY, user_id bigint, key char(48), status bigint DEFAULT 1, name text,
        created_time bigint, accessed_time bigint, expired_time bigint DEFAULT -1, remain_quota bigint DEFAULT 0,
        unlimited_quota boolean DEFAULT false);
      INSERT INTO tokens SELECT i, 7, left(${HASH}, 48), 1, 'Key ' || i, 1735689600 + i, ${some(seconds(USE), '0')},
        ${some(seconds(EXPIRY), '-1')} ${ROWS}`,
    decided: {
      partial_key_hint: NO_HINT,
      status: { column: 'status', values: { active: [1, 3, 4], inactive: [2] } },
    },
    expires: "CASE WHEN expired_time <> -1 THEN timestamptz 'epoch' + expired_time * interval '1 s' END",
    lastUsed: "CASE WHEN accessed_time <> 0 THEN timestamptz 'epoch' + accessed_time * interval '1 s' END",
  },
];
