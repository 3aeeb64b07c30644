/**
 * The triggers of the first migration, and as literal.
 *
 * They hold what the commands promise, against a role too that may write the tables: nothing is deleted, a revocation is final, an
 * expiry only moves earlier, and the creation never changes. An operator may take back an import, and an organization with all that
 * is of it: a row may be deleted, and `archived` become something else, only where the transaction says that it corrects, by a role
 * that has the right to delete. An issuer's role hasn't. The rule stands in each function, as Citus takes a function to the workers
 * without those that it calls.
 *
 * Whoever may insert an entry of the audit log can choose its actor. The time and the database's user are not theirs to choose, and an
 * issuer's role has entries only of what it does.
 */
export const guards = [
  `
  CREATE FUNCTION keyroster.guard_organizations() RETURNS trigger
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
  CREATE FUNCTION keyroster.guard_admin_keys() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND current_setting('keyroster.correcting', true) = 'on'
      AND has_table_privilege('keyroster.admin_keys', 'DELETE') THEN RETURN old; END IF;
    IF TG_OP IN ('DELETE', 'TRUNCATE') THEN
      RAISE restrict_violation USING MESSAGE = 'admin keys are never deleted: revoke them';
    END IF;
    IF (old.digest, old.id, old.organization_id, old.workspace_id, old.last_characters, old.created_at)
      IS DISTINCT FROM (new.digest, new.id, new.organization_id, new.workspace_id, new.last_characters, new.created_at) THEN
      RAISE restrict_violation USING MESSAGE =
        'the ID, the digest, the organization, the workspace and the creation of an admin key never change';
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
  CREATE FUNCTION keyroster.guard_api_keys() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    is_correcting CONSTANT boolean := coalesce(current_setting('keyroster.correcting', true), '') = 'on'
      AND has_table_privilege('keyroster.api_keys', 'DELETE');
    unmarked CONSTANT text[] := '{record,last_used_at}'; -- the one isn't known yet here, the other is no change of the key
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
    IF old.import > 0 AND (new.import IS DISTINCT FROM old.import
      OR to_jsonb(new) - unmarked IS DISTINCT FROM to_jsonb(old) - unmarked) THEN
      new.import := -old.import;
    ELSE
      new.import := old.import;
    END IF;
    RETURN new;
  END $$;
`,
  `
  CREATE FUNCTION keyroster.sign_audit_entry() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    new.recorded_at := clock_timestamp();
    new.database_user := session_user;
    IF new.action NOT IN ('import', 'set_status') AND NOT has_table_privilege('keyroster.organizations', 'DELETE') THEN
      RAISE insufficient_privilege USING MESSAGE = format('%s may not do what the entry of the audit log says', current_user);
    END IF;
    RETURN new;
  END $$;
`,
  `
  CREATE FUNCTION keyroster.guard_audit_log() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    RAISE restrict_violation USING MESSAGE = 'the audit log is append-only';
  END $$;
`,
  `CREATE TRIGGER guard_rows BEFORE UPDATE OR DELETE ON keyroster.organizations
    FOR EACH ROW EXECUTE FUNCTION keyroster.guard_organizations()`,
  `CREATE TRIGGER guard_table BEFORE TRUNCATE ON keyroster.organizations
    FOR EACH STATEMENT EXECUTE FUNCTION keyroster.guard_organizations()`,
  `CREATE TRIGGER guard_rows BEFORE UPDATE OR DELETE ON keyroster.admin_keys
    FOR EACH ROW EXECUTE FUNCTION keyroster.guard_admin_keys()`,
  `CREATE TRIGGER guard_table BEFORE TRUNCATE ON keyroster.admin_keys
    FOR EACH STATEMENT EXECUTE FUNCTION keyroster.guard_admin_keys()`,
  `CREATE TRIGGER guard_rows BEFORE UPDATE OR DELETE ON keyroster.api_keys
    FOR EACH ROW EXECUTE FUNCTION keyroster.guard_api_keys()`,
  `CREATE TRIGGER guard_table BEFORE TRUNCATE ON keyroster.api_keys
    FOR EACH STATEMENT EXECUTE FUNCTION keyroster.guard_api_keys()`,
  `CREATE TRIGGER sign_rows BEFORE INSERT ON keyroster.audit_log
    FOR EACH ROW EXECUTE FUNCTION keyroster.sign_audit_entry()`,
  `CREATE TRIGGER guard_table BEFORE UPDATE OR DELETE OR TRUNCATE ON keyroster.audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION keyroster.guard_audit_log()`,
];
