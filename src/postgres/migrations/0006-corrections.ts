/**
 * Released, so it must not be edited: every store at this version has exactly this schema. It is literal text and uses no
 * constant of the code.
 *
 * What an operator may take back: an import, and an organization with all that is of it. A row may be deleted, and `archived`
 * become something else, only where the transaction says that it corrects, by a role that has the right to delete. An
 * issuer's role hasn't. The rule stands in each function, as Citus takes a function to the workers without those that it calls.
 *
 * `api_keys.import` is the number of the import that wrote the row last. Any other UPDATE makes it negative, so that one by an
 * issuer's own SQL counts as a change too, and it is known which import's row was changed. Declared fields are columns that are added later.
 *
 * `disabled_organizations` is by itself since Citus has it beside the admin keys, on the coordinator: none of them needs a
 * worker. No foreign key leads there. The number of an import is random, as a sequence isn't for a distributed table.
 */
export const corrections = {
  concurrently: [
    // The order of their lists.
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS organizations_created_at ON keyroster.organizations (created_at, id)',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS admin_keys_created_at ON keyroster.admin_keys (created_at, id)',
  ],
  statements: [
    'SET LOCAL citus.enable_unsafe_triggers = on',
    `ALTER TABLE keyroster.organizations ADD COLUMN disabled_at timestamptz`,
    `ALTER TABLE keyroster.organizations ADD COLUMN deleted_at timestamptz -- since when it is being deleted`,
    `CREATE TABLE keyroster.disabled_organizations (organization_id text COLLATE "C" PRIMARY KEY)`,
    `
  CREATE TABLE keyroster.imports (
    organization_id text COLLATE "C" NOT NULL,
    number bigint NOT NULL CHECK (number > 0),
    id text COLLATE "C" NOT NULL CHECK (octet_length(id) <= 128 AND id ~ '^[A-Za-z0-9_-]+$'),
    recorded_at timestamptz NOT NULL DEFAULT now(),
    actor text NOT NULL,
    inserted bigint NOT NULL,
    updated bigint NOT NULL,
    unchanged bigint NOT NULL,
    reverted_at timestamptz,
    PRIMARY KEY (organization_id, number)
  );
`,
    `CREATE INDEX imports_id ON keyroster.imports (id)`,
    `CREATE INDEX imports_recorded ON keyroster.imports (recorded_at, id, organization_id)`,
    `
  CREATE TABLE keyroster.import_updates ( -- what a key was before
    organization_id text COLLATE "C" NOT NULL,
    import bigint NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    record text NOT NULL,
    declared text,
    import_before bigint,
    PRIMARY KEY (organization_id, import, key_id)
  );
`,
    `
  CREATE TABLE keyroster.fields (
    number integer PRIMARY KEY CHECK (number > 0),
    name text COLLATE "C" NOT NULL CHECK (octet_length(name) <= 63 AND name ~ '^[a-z][a-z0-9_]*$'),
    type json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    removed_at timestamptz
  );
`,
    `CREATE UNIQUE INDEX fields_name ON keyroster.fields (name) WHERE removed_at IS NULL`,
    `ALTER TABLE keyroster.api_keys ADD COLUMN import bigint`,
    `
  CREATE OR REPLACE FUNCTION keyroster.guard_api_keys() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    is_correcting CONSTANT boolean := coalesce(current_setting('keyroster.correcting', true), '') = 'on'
      AND has_table_privilege('keyroster.api_keys', 'DELETE');
  BEGIN
    IF TG_OP = 'DELETE' AND is_correcting THEN RETURN old; END IF;
    IF TG_OP IN ('DELETE', 'TRUNCATE') THEN
      RAISE restrict_violation USING MESSAGE = 'API keys are never deleted: set the status to archived';
    END IF;
    IF (old.organization_id, old.id, old.created_at, old.created_by_id, old.created_by_type)
      IS DISTINCT FROM (new.organization_id, new.id, new.created_at, new.created_by_id, new.created_by_type) THEN
      RAISE restrict_violation USING MESSAGE = 'the ID and the creation of an API key never change';
    END IF;
    IF old.status = 'archived' AND new.status <> 'archived' AND NOT is_correcting THEN
      RAISE restrict_violation USING MESSAGE = 'archived is final';
    END IF;
    IF new.import IS NOT DISTINCT FROM old.import THEN new.import := -abs(old.import); END IF;
    RETURN new;
  END $$;
`,
    `
  CREATE OR REPLACE FUNCTION keyroster.guard_organizations() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND old.deleted_at IS NOT NULL AND current_setting('keyroster.correcting', true) = 'on'
      AND has_table_privilege('keyroster.organizations', 'DELETE') THEN
      RETURN old;
    END IF;
    IF TG_OP IN ('DELETE', 'TRUNCATE') THEN
      RAISE restrict_violation USING MESSAGE = 'organizations are never deleted';
    END IF;
    IF (old.id, old.created_at) IS DISTINCT FROM (new.id, new.created_at) THEN
      RAISE restrict_violation USING MESSAGE = 'the ID and the creation of an organization never change';
    END IF;
    IF old.deleted_at IS NOT NULL AND new.deleted_at IS DISTINCT FROM old.deleted_at THEN
      RAISE restrict_violation USING MESSAGE = 'the organization is being deleted';
    END IF;
    RETURN new;
  END $$;
`,
    `
  CREATE OR REPLACE FUNCTION keyroster.guard_admin_keys() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND current_setting('keyroster.correcting', true) = 'on'
      AND has_table_privilege('keyroster.admin_keys', 'DELETE') THEN RETURN old; END IF;
    IF TG_OP IN ('DELETE', 'TRUNCATE') THEN
      RAISE restrict_violation USING MESSAGE = 'admin keys are never deleted: revoke them';
    END IF;
    IF (old.digest, old.id, old.organization_id, old.last_characters, old.created_at)
      IS DISTINCT FROM (new.digest, new.id, new.organization_id, new.last_characters, new.created_at) THEN
      RAISE restrict_violation USING MESSAGE =
        'the ID, the digest, the organization and the creation of an admin key never change';
    END IF;
    IF old.revoked_at IS NOT NULL AND old.revoked_at IS DISTINCT FROM new.revoked_at THEN
      RAISE restrict_violation USING MESSAGE = 'a revocation is final';
    END IF;
    IF new.expires_at IS NULL AND old.expires_at IS NOT NULL OR new.expires_at > old.expires_at THEN
      RAISE restrict_violation USING MESSAGE = 'the expiry of an admin key only moves earlier';
    END IF;
    RETURN new;
  END $$;
`,
    `ALTER TABLE keyroster.audit_log DROP CONSTRAINT audit_log_action_check`,
    `ALTER TABLE keyroster.audit_log ADD CONSTRAINT audit_log_action_check
    CHECK (octet_length(action) <= 63 AND action ~ '^[a-z_]+$')`,
  ],
};
