/** As the code has them in `identifier.ts`. What only hashes look like is asked of few: those regular expressions have counts. */
const ownerId = (column: string) =>
  String.raw`(octet_length(${column}) <= 255 AND ${column} ~ '^[!#-;=?-\[\]-~]+$'
      AND (${column} NOT LIKE '%$%$%' OR ${column} !~ '^[A-Za-z0-9_:-]*\$[A-Za-z0-9_:.,=+/-]*\$........')
      AND (${column} NOT LIKE '{%' OR ${column} !~ '^\{[A-Za-z0-9-]+\}.')
      AND (${column} NOT LIKE '%=' OR ${column} ~ '^([A-Za-f][A-HQ-Xg-nw-z0-3]..)+$' OR ${column} !~ '^([A-Za-z0-9-]+[:|])?([A-Za-z0-9+/_-]{22}==|[A-Za-z0-9+/_-]{27}=|[A-Za-z0-9+/_-]{38}==|[A-Za-z0-9+/_-]{43}=|[A-Za-z0-9+/_-]{86}==)$'))`;
const keyId = (column: string) =>
  `(octet_length(${column}) <= 255 AND ${column} ~ '^[A-Za-z0-9_.:|/@~-]+$' AND ${column} NOT IN ('null', 'undefined'))`;

/**
 * The schema of 0.1.0. It must not be edited, which would make stores that are there unusable: a store keeps the digest of each step.
 * It uses no constant of the code.
 *
 * The tables are an interface: issuers of API keys write rows in their own transactions. So constraints and triggers enforce the
 * rules of the record here, and `record` is a generated column. A bound of a regular expression such as `{1,128}` costs a write of
 * an API key more than all else, so there the length is a condition of its own.
 *
 * A page must be read from the index of its combination of filters, whatever the planner's statistics say. Otherwise the
 * planner might scan the index of all keys and filter the rows, a million of them when nothing matches. PostgreSQL has no
 * `INDEXED BY`. So `listing(…)` gives each combination of filters and values a number, and each combination has an index on
 * that number: no other index returns the rows in order.
 *
 * `api_keys.import` is the number of the import that inserted the row, made of the import's ID. An UPDATE makes it negative, but one
 * of `last_used_at` alone, so that one by an issuer's own SQL counts as a change too. None can do anything else to it, so nobody can
 * have a row deleted with an import that didn't insert it. Declared fields are columns that are added later.
 *
 * `disabled_organizations` is by itself since Citus has it beside the admin keys, on the coordinator: none of them needs a
 * worker. No foreign key leads there.
 *
 * `store` has one row: the ID by which a store and its dumps are known, and `made`, a random value that the materialized view of that
 * name has too. A restored dump reads the row from the dump, but PostgreSQL makes the view anew. So they differ in a copy, until what
 * ended since was repeated there. A standby and `pg_upgrade` keep both.
 *
 * The audit log has no reference to other tables: an entry outlives what it is about. Without one, Citus leaves the table on the
 * coordinator, where an entry commits with the act. It takes any action: those that there are, the code knows.
 */
import { guards } from './0001-guards.ts';
export const initial = {
  usableFrom: null,
  statements: [
    'CREATE SCHEMA IF NOT EXISTS keyroster',
    `
  CREATE TABLE keyroster.migrations (
    number integer PRIMARY KEY,
    digest text NOT NULL,
    usable_from integer NOT NULL, -- the oldest schema whose release can use the store after this migration
    applied_at timestamptz NOT NULL DEFAULT now()
  );
`,
    'CREATE TABLE keyroster.store (id text COLLATE "C" PRIMARY KEY, made text NOT NULL)',
    'CREATE MATERIALIZED VIEW keyroster.made AS SELECT gen_random_uuid()::text AS made',
    `
  INSERT INTO keyroster.store (id, made)
  SELECT 'store_' || right(replace(gen_random_uuid()::text, '-', ''), 16), made FROM keyroster.made;
`,
    // Whoever serves has to know whether this is a copy, also who may read the view of a vendor's own table and nothing else.
    'GRANT SELECT ON keyroster.store, keyroster.made TO PUBLIC',
    `
  CREATE TABLE keyroster.organizations (
    id text COLLATE "C" PRIMARY KEY CHECK ${ownerId('id')},
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
      CHECK (created_at >= '0001-01-01 00:00:00+00 BC' AND created_at < '10000-01-01 00:00:00+00'),
    disabled_at timestamptz,
    deleted_at timestamptz -- since when it is being deleted
  );
`,
    'CREATE INDEX organizations_created_at ON keyroster.organizations (created_at, id)',
    'CREATE TABLE keyroster.disabled_organizations (organization_id text COLLATE "C" PRIMARY KEY)',
    `
  -- A network is cast to inet, which refuses the statement where it isn't one.
  CREATE TABLE keyroster.admin_keys (
    digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    id text COLLATE "C" NOT NULL UNIQUE CHECK (id ~ '^[A-Za-z0-9_-]{1,128}$'),
    organization_id text COLLATE "C" NOT NULL REFERENCES keyroster.organizations,
    name text NOT NULL,
    last_characters text NOT NULL CHECK (char_length(last_characters) <= 4),
    created_at timestamptz NOT NULL DEFAULT now()
      CHECK (created_at >= '0001-01-01 00:00:00+00 BC' AND created_at < '10000-01-01 00:00:00+00'),
    expires_at timestamptz
      CHECK (expires_at >= '0001-01-01 00:00:00+00 BC' AND expires_at < '10000-01-01 00:00:00+00'),
    revoked_at timestamptz
      CHECK (revoked_at >= '0001-01-01 00:00:00+00 BC' AND revoked_at < '10000-01-01 00:00:00+00'),
    networks text CHECK (networks ~ '^[0-9A-Fa-f.:/,]+$' AND char_length(networks) <= 1000
      AND cardinality(('{' || networks || '}')::inet[]) <= 20), -- with commas; NULL: from anywhere
    replaced_by text COLLATE "C", -- the ID of the key that it was rotated to
    workspace_id text COLLATE "C" -- the only one whose keys it lists; NULL: it lists the whole organization
      CHECK ${ownerId('workspace_id')}
  );
`,
    'CREATE INDEX admin_keys_created_at ON keyroster.admin_keys (created_at, id)',
    `
  CREATE FUNCTION keyroster.listing(organization_id text, status text, workspace_id text, created_by_id text)
  RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN hashtextextended(
    organization_id || ' ' || coalesce(status, '') || ' ' || coalesce(workspace_id, '') || ' '
      || coalesce(created_by_id, ''), 0); -- no ID has a space
`,
    `
  -- to_char and to_json are only STABLE, as other formats and types depend on settings; these uses don't.
  CREATE FUNCTION keyroster.render_api_key(
    id text, name text, created_at timestamptz, created_by_id text, created_by_type text,
    partial_key_hint text, status text, workspace_id text
  ) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    utc timestamp := created_at AT TIME ZONE 'UTC';
    moment text := coalesce(to_char(utc, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), ''); -- infinity, which its rule refuses
  BEGIN
    IF utc < timestamp '0001-01-01' THEN moment := '0000' || substr(moment, 5); END IF; -- 1 BC is the year 0
    RETURN '{"id":"' || id || '","type":"api_key","name":' || to_json(name)::text
      || ',"created_at":"' || moment
      || '","created_by":{"id":"' || created_by_id || '","type":"' || created_by_type
      || '"},"partial_key_hint":"' || partial_key_hint || '","status":"' || status
      || '","workspace_id":' || coalesce('"' || workspace_id || '"', 'null') || '}';
  END $$;
`,
    String.raw`
  -- The end of a hint has no dot. So the place of the last dot gives the lengths: it is at most the 35th character, as the
  -- start has at most 32, and one of the last nine.
  CREATE TABLE keyroster.api_keys (
    organization_id text COLLATE "C" NOT NULL REFERENCES keyroster.organizations,
    id text COLLATE "C" NOT NULL CHECK ${keyId('id')},
    name text NOT NULL CHECK (char_length(name) <= 1000),
    created_at timestamptz NOT NULL DEFAULT now()
      CHECK (created_at >= '0001-01-01 00:00:00+00 BC' AND created_at < '10000-01-01 00:00:00+00'),
    created_by_id text COLLATE "C" NOT NULL CHECK ${ownerId('created_by_id')},
    created_by_type text NOT NULL CHECK (created_by_type IN ('user', 'service_account')),
    partial_key_hint text NOT NULL CHECK (octet_length(partial_key_hint) <= 43
      AND partial_key_hint ~ '^[A-Za-z0-9_.+/=~-]+\.\.\.[A-Za-z0-9_+/=~-]+$'
      AND strpos(substr(partial_key_hint, 36), '.') = 0 AND strpos(right(partial_key_hint, 9), '.') > 0),
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive', 'archived')),
    workspace_id text COLLATE "C" CHECK ${ownerId('workspace_id')},
    record text NOT NULL GENERATED ALWAYS AS (keyroster.render_api_key(
      id, name, created_at, created_by_id, created_by_type, partial_key_hint, status, workspace_id)) STORED,
    import bigint,
    PRIMARY KEY (organization_id, id)
  );
`,
    `CREATE INDEX api_keys_listing ON keyroster.api_keys
    (keyroster.listing(organization_id, NULL, NULL, NULL), created_at, id)`,
    `CREATE INDEX api_keys_listing_created_by_id ON keyroster.api_keys
    (keyroster.listing(organization_id, NULL, NULL, created_by_id), created_at, id)`,
    `CREATE INDEX api_keys_listing_workspace_id ON keyroster.api_keys
    (keyroster.listing(organization_id, NULL, workspace_id, NULL), created_at, id)`,
    `CREATE INDEX api_keys_listing_workspace_id_created_by_id ON keyroster.api_keys
    (keyroster.listing(organization_id, NULL, workspace_id, created_by_id), created_at, id)`,
    `CREATE INDEX api_keys_listing_status ON keyroster.api_keys
    (keyroster.listing(organization_id, status, NULL, NULL), created_at, id)`,
    `CREATE INDEX api_keys_listing_status_created_by_id ON keyroster.api_keys
    (keyroster.listing(organization_id, status, NULL, created_by_id), created_at, id)`,
    `CREATE INDEX api_keys_listing_status_workspace_id ON keyroster.api_keys
    (keyroster.listing(organization_id, status, workspace_id, NULL), created_at, id)`,
    `CREATE INDEX api_keys_listing_status_workspace_id_created_by_id ON keyroster.api_keys
    (keyroster.listing(organization_id, status, workspace_id, created_by_id), created_at, id)`,
    `
  CREATE TABLE keyroster.fields (
    number integer PRIMARY KEY CHECK (number > 0),
    name text COLLATE "C" NOT NULL CHECK (octet_length(name) <= 63 AND name ~ '^[a-z][a-z0-9_]*$'),
    type json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    removed_at timestamptz
  );
`,
    'CREATE UNIQUE INDEX fields_name ON keyroster.fields (name) WHERE removed_at IS NULL',
    `
  CREATE TABLE keyroster.imports (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL CHECK (octet_length(id) <= 128 AND id ~ '^[A-Za-z0-9_-]+$'),
    recorded_at timestamptz NOT NULL DEFAULT now(),
    actor text NOT NULL,
    inserted bigint NOT NULL,
    updated bigint NOT NULL,
    unchanged bigint NOT NULL,
    reverted_at timestamptz,
    PRIMARY KEY (organization_id, id)
  );
`,
    'CREATE INDEX imports_id ON keyroster.imports (id)',
    'CREATE INDEX imports_recorded ON keyroster.imports (recorded_at, id, organization_id)',
    `
  CREATE TABLE keyroster.import_statuses ( -- the keys whose status an import changed
    organization_id text COLLATE "C" NOT NULL,
    import bigint NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    status text NOT NULL,
    status_before text NOT NULL,
    PRIMARY KEY (organization_id, import, key_id)
  );
`,
    String.raw`
  -- As an entry stays, nothing may get in that hides others or that Keyroster can't list: actors are those of parseActor, and
  -- details are one flat object of short values, as JSON.stringify writes it.
  CREATE TABLE keyroster.audit_log (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    recorded_at timestamptz NOT NULL,
    actor text NOT NULL CHECK (
      char_length(actor) <= 128 AND actor !~ '-admin01-[0-9A-Za-z]{49}'
      AND actor ~ '[^ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]' -- more than spaces
      -- Controls, marks of direction and other characters that can't be seen, and line breaks.
      AND actor !~ '[\u0001-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f]'
      AND actor !~ '[\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f]'
      AND actor !~ '[\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]'),
    database_user text NOT NULL,
    action text COLLATE "C" NOT NULL CHECK (octet_length(action) <= 63 AND action ~ '^[a-z_]+$'),
    organization_id text COLLATE "C" CHECK ${ownerId('organization_id')},
    subject_id text COLLATE "C" CHECK (octet_length(subject_id) <= 255 AND subject_id ~ '^[!#-;=?-\[\]-~]+$'),
    details json NOT NULL CHECK (
      char_length(details::text) <= 1000 AND details::text !~ '-admin01-[0-9A-Za-z]{49}'
      AND details::text ~ '^[{](("[a-z_]+":("[ !#-\[\]-~]*"|-?[0-9]{1,15}|true|false|null))(,(?!})|(?=})))*[}]$')
  );
`,
    ...guards,
  ],
};
