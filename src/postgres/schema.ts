import { CREATOR_TYPES, MAX_NAME_LENGTH, STATUSES } from '../roster/api-key.ts';
import { ID_PATTERN } from '../roster/identifier.ts';
import { PARTIAL_KEY_HINT_PATTERN } from '../roster/partial-key-hint.ts';

const oneOf = (values: readonly string[]) => values.map(value => `'${value}'`).join(', ');
const isId = (column: string) => `CHECK (${column} ~ '${ID_PATTERN}')`;

/** For functions that resolve names when they run: a schema of the caller's could else stand for what they mean. */
const OWN_SEARCH_PATH = 'SET search_path = pg_catalog, pg_temp';

/** The eight combinations of filters, as the arguments of `listing` after the organization: `NULL` doesn't restrict. */
export const LISTINGS = ['NULL', 'status'].flatMap(status =>
  ['NULL', 'workspace_id'].flatMap(workspace =>
    ['NULL', 'created_by_id'].map(creator => ({ status, workspace, creator })),
  ),
);

const listingIndexes = LISTINGS.map(({ status, workspace, creator }) => {
  const columns = [status, workspace, creator].filter(column => column !== 'NULL').join('_');
  return `CREATE INDEX api_keys_listing${columns && `_${columns}`} ON keyroster.api_keys
    (keyroster.listing(organization_id, ${status}, ${workspace}, ${creator}), created_at, id);`;
});

/**
 * What brings a store from each version to the next. Only ever append.
 *
 * The table is an interface: issuers write rows into it in their own transactions. So the contract's rules hold here,
 * by constraint and trigger, and `record` is generated, never written.
 *
 * A page has to come from the one index of its filters, whatever the planner's statistics say: it might else walk the
 * index of all keys and drop those that the filter doesn't want, a million of them when nothing matches. PostgreSQL has
 * no `INDEXED BY`. So each combination of filters is a number of its own, `listing(…)`, and only that combination's
 * index has it: no other index can give the rows in order.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE keyroster.organizations (
    id text COLLATE "C" PRIMARY KEY ${isId('id')},
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE keyroster.admin_keys (
    digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    id text COLLATE "C" NOT NULL UNIQUE ${isId('id')},
    organization_id text COLLATE "C" NOT NULL REFERENCES keyroster.organizations,
    name text NOT NULL,
    last_characters text NOT NULL CHECK (char_length(last_characters) <= 4),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz
  );

  CREATE FUNCTION keyroster.listing(organization_id text, status text, workspace_id text, created_by_id text)
  RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN hashtextextended(
    organization_id || '/' || coalesce(status, '') || '/' || coalesce(workspace_id, '') || '/'
      || coalesce(created_by_id, ''), 0);

  -- to_char and to_json are only STABLE, as other formats and types depend on settings; these uses don't.
  CREATE FUNCTION keyroster.render_api_key(
    id text, name text, created_at timestamptz, created_by_id text, created_by_type text,
    partial_key_hint text, status text, workspace_id text
  ) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE ${OWN_SEARCH_PATH} AS $$
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

  CREATE TABLE keyroster.api_keys (
    organization_id text COLLATE "C" NOT NULL REFERENCES keyroster.organizations,
    id text COLLATE "C" NOT NULL ${isId('id')},
    name text NOT NULL CHECK (char_length(name) <= ${MAX_NAME_LENGTH}),
    created_at timestamptz NOT NULL DEFAULT now()
      CHECK (created_at >= '0001-01-01 00:00:00+00 BC' AND created_at < '10000-01-01 00:00:00+00'),
    created_by_id text COLLATE "C" NOT NULL ${isId('created_by_id')},
    created_by_type text NOT NULL CHECK (created_by_type IN (${oneOf(CREATOR_TYPES)})),
    partial_key_hint text NOT NULL CHECK (partial_key_hint ~ '${PARTIAL_KEY_HINT_PATTERN}'),
    status text NOT NULL DEFAULT 'active' CHECK (status IN (${oneOf(STATUSES)})),
    workspace_id text COLLATE "C" ${isId('workspace_id')},
    record text NOT NULL GENERATED ALWAYS AS (keyroster.render_api_key(
      id, name, created_at, created_by_id, created_by_type, partial_key_hint, status, workspace_id)) STORED,
    PRIMARY KEY (organization_id, id)
  );

  ${listingIndexes.join('\n')}

  CREATE FUNCTION keyroster.guard_api_keys() RETURNS trigger LANGUAGE plpgsql ${OWN_SEARCH_PATH} AS $$
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

  CREATE TRIGGER guard_rows BEFORE UPDATE OR DELETE ON keyroster.api_keys
    FOR EACH ROW EXECUTE FUNCTION keyroster.guard_api_keys();
  CREATE TRIGGER guard_table BEFORE TRUNCATE ON keyroster.api_keys
    FOR EACH STATEMENT EXECUTE FUNCTION keyroster.guard_api_keys();
  `,
];
