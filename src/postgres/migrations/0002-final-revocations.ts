/**
 * Released, so it must not be edited: every store at version 2 has exactly this schema. It is literal text and uses no
 * constant of the code.
 *
 * What the commands promise about organizations and admin keys becomes a rule of the tables, so that a role that may
 * write them can't break it: a revocation is final, an expiry only moves earlier, and the creation never changes.
 */
export const finalRevocations = {
  statements: [
    `
  -- Citus requires this for the triggers; src/postgres/distribute.ts says why they are safe. Without Citus it sets nothing.
  SET LOCAL citus.enable_unsafe_triggers = on;
`,
    `
  DO $$
  DECLARE
    earliest CONSTANT timestamptz := '0001-01-01 00:00:00+00 BC';
    latest CONSTANT timestamptz := '9999-12-31 23:59:59.999999+00';
    wrong text;
  BEGIN
    SELECT string_agg(what, ', ') INTO wrong FROM (
      SELECT 'organization ' || id || ': created_at' FROM keyroster.organizations
        WHERE created_at NOT BETWEEN earliest AND latest
      UNION ALL SELECT 'admin key ' || id || ': created_at, expires_at or revoked_at' FROM keyroster.admin_keys
        WHERE created_at NOT BETWEEN earliest AND latest OR expires_at NOT BETWEEN earliest AND latest
          OR revoked_at NOT BETWEEN earliest AND latest
      LIMIT 5) AS broken (what);
    IF wrong IS NOT NULL THEN
      RAISE check_violation USING MESSAGE = 'times outside the years 0 to 9999 (' || wrong
        || '): correct them with SQL, then run "keyroster migrate" again';
    END IF;
  END $$;
`,
    `
  ALTER TABLE keyroster.organizations ADD CONSTRAINT organizations_created_at_check
    CHECK (created_at >= '0001-01-01 00:00:00+00 BC' AND created_at < '10000-01-01 00:00:00+00');
`,
    `  ALTER TABLE keyroster.admin_keys ADD CONSTRAINT admin_keys_created_at_check
    CHECK (created_at >= '0001-01-01 00:00:00+00 BC' AND created_at < '10000-01-01 00:00:00+00');
`,
    `  ALTER TABLE keyroster.admin_keys ADD CONSTRAINT admin_keys_expires_at_check
    CHECK (expires_at >= '0001-01-01 00:00:00+00 BC' AND expires_at < '10000-01-01 00:00:00+00');
`,
    `  ALTER TABLE keyroster.admin_keys ADD CONSTRAINT admin_keys_revoked_at_check
    CHECK (revoked_at >= '0001-01-01 00:00:00+00 BC' AND revoked_at < '10000-01-01 00:00:00+00');
`,
    `
  CREATE FUNCTION keyroster.guard_organizations() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF TG_OP IN ('DELETE', 'TRUNCATE') THEN
      RAISE restrict_violation USING MESSAGE = 'organizations are never deleted';
    END IF;
    IF (old.id, old.created_at) IS DISTINCT FROM (new.id, new.created_at) THEN
      RAISE restrict_violation USING MESSAGE = 'the ID and the creation of an organization never change';
    END IF;
    RETURN new;
  END $$;
`,
    `
  CREATE FUNCTION keyroster.guard_admin_keys() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
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
    `
  CREATE TRIGGER guard_rows BEFORE UPDATE OR DELETE ON keyroster.organizations
    FOR EACH ROW EXECUTE FUNCTION keyroster.guard_organizations();
`,
    `  CREATE TRIGGER guard_table BEFORE TRUNCATE ON keyroster.organizations
    FOR EACH STATEMENT EXECUTE FUNCTION keyroster.guard_organizations();
`,
    `  CREATE TRIGGER guard_rows BEFORE UPDATE OR DELETE ON keyroster.admin_keys
    FOR EACH ROW EXECUTE FUNCTION keyroster.guard_admin_keys();
`,
    `  CREATE TRIGGER guard_table BEFORE TRUNCATE ON keyroster.admin_keys
    FOR EACH STATEMENT EXECUTE FUNCTION keyroster.guard_admin_keys();
  `,
  ],
};
