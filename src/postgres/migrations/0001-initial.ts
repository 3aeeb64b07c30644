/**
 * Released, so it must not be edited: every store at version 1 has exactly this schema. It is literal text and uses no
 * constant of the code.
 *
 * The table is an interface: issuers of API keys write rows in their own transactions. So constraints and triggers enforce the
 * rules of the record here, and `record` is a generated column.
 *
 * A page must be read from the index of its combination of filters, whatever the planner's statistics say. Otherwise the
 * planner might scan the index of all keys and filter the rows, a million of them when nothing matches. PostgreSQL has no
 * `INDEXED BY`. So `listing(…)` gives each combination of filters and values a number, and each combination has an index on
 * that number: no other index returns the rows in order.
 */
export const initial = {
  statements: [
    `
  CREATE TABLE keyroster.organizations (
    id text COLLATE "C" PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,128}$'),
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
`,
    `
  CREATE TABLE keyroster.admin_keys (
    digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    id text COLLATE "C" NOT NULL UNIQUE CHECK (id ~ '^[A-Za-z0-9_-]{1,128}$'),
    organization_id text COLLATE "C" NOT NULL REFERENCES keyroster.organizations,
    name text NOT NULL,
    last_characters text NOT NULL CHECK (char_length(last_characters) <= 4),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz
  );
`,
    `
  CREATE FUNCTION keyroster.listing(organization_id text, status text, workspace_id text, created_by_id text)
  RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN hashtextextended(
    organization_id || '/' || coalesce(status, '') || '/' || coalesce(workspace_id, '') || '/'
      || coalesce(created_by_id, ''), 0);
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
  CREATE TABLE keyroster.api_keys (
    organization_id text COLLATE "C" NOT NULL REFERENCES keyroster.organizations,
    id text COLLATE "C" NOT NULL CHECK (id ~ '^[A-Za-z0-9_-]{1,128}$'),
    name text NOT NULL CHECK (char_length(name) <= 1000),
    created_at timestamptz NOT NULL DEFAULT now()
      CHECK (created_at >= '0001-01-01 00:00:00+00 BC' AND created_at < '10000-01-01 00:00:00+00'),
    created_by_id text COLLATE "C" NOT NULL CHECK (created_by_id ~ '^[A-Za-z0-9_-]{1,128}$'),
    created_by_type text NOT NULL CHECK (created_by_type IN ('user', 'service_account')),
    partial_key_hint text NOT NULL CHECK (partial_key_hint ~ '^[A-Za-z0-9_.+/=~-]{1,32}\.\.\.[A-Za-z0-9_+/=~-]{1,8}$'),
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive', 'archived')),
    workspace_id text COLLATE "C" CHECK (workspace_id ~ '^[A-Za-z0-9_-]{1,128}$'),
    record text NOT NULL GENERATED ALWAYS AS (keyroster.render_api_key(
      id, name, created_at, created_by_id, created_by_type, partial_key_hint, status, workspace_id)) STORED,
    PRIMARY KEY (organization_id, id)
  );
`,
    `
  CREATE INDEX api_keys_listing ON keyroster.api_keys
    (keyroster.listing(organization_id, NULL, NULL, NULL), created_at, id);
`,
    `CREATE INDEX api_keys_listing_created_by_id ON keyroster.api_keys
    (keyroster.listing(organization_id, NULL, NULL, created_by_id), created_at, id);
`,
    `CREATE INDEX api_keys_listing_workspace_id ON keyroster.api_keys
    (keyroster.listing(organization_id, NULL, workspace_id, NULL), created_at, id);
`,
    `CREATE INDEX api_keys_listing_workspace_id_created_by_id ON keyroster.api_keys
    (keyroster.listing(organization_id, NULL, workspace_id, created_by_id), created_at, id);
`,
    `CREATE INDEX api_keys_listing_status ON keyroster.api_keys
    (keyroster.listing(organization_id, status, NULL, NULL), created_at, id);
`,
    `CREATE INDEX api_keys_listing_status_created_by_id ON keyroster.api_keys
    (keyroster.listing(organization_id, status, NULL, created_by_id), created_at, id);
`,
    `CREATE INDEX api_keys_listing_status_workspace_id ON keyroster.api_keys
    (keyroster.listing(organization_id, status, workspace_id, NULL), created_at, id);
`,
    `CREATE INDEX api_keys_listing_status_workspace_id_created_by_id ON keyroster.api_keys
    (keyroster.listing(organization_id, status, workspace_id, created_by_id), created_at, id);
`,
    `
  CREATE FUNCTION keyroster.guard_api_keys() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF TG_OP IN ('DELETE', 'TRUNCATE') THEN
      RAISE restrict_violation USING MESSAGE = 'API keys are never deleted: set the status to archived';
    END IF;
    IF (old.organization_id, old.id, old.created_at, old.created_by_id, old.created_by_type)
      IS DISTINCT FROM (new.organization_id, new.id, new.created_at, new.created_by_id, new.created_by_type) THEN
      RAISE restrict_violation USING MESSAGE = 'the ID and the creation of an API key never change';
    END IF;
    IF old.status = 'archived' AND new.status <> 'archived' THEN
      RAISE restrict_violation USING MESSAGE = 'archived is final';
    END IF;
    RETURN new;
  END $$;
`,
    `
  CREATE TRIGGER guard_rows BEFORE UPDATE OR DELETE ON keyroster.api_keys
    FOR EACH ROW EXECUTE FUNCTION keyroster.guard_api_keys();
`,
    `  CREATE TRIGGER guard_table BEFORE TRUNCATE ON keyroster.api_keys
    FOR EACH STATEMENT EXECUTE FUNCTION keyroster.guard_api_keys();
  `,
  ],
};
