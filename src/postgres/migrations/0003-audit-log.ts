/**
 * Released, so it must not be edited: every store at this version has exactly this schema. It is literal text and uses no
 * constant of the code.
 *
 * The audit log has no reference to other tables: an entry outlives what it is about. Without one, Citus leaves the table on the
 * coordinator, where an entry commits with the act, and its trigger runs once and not once for each worker.
 *
 * Whoever may insert an entry can choose its actor. The time and the database's user are not theirs to choose.
 */
export const auditLog = `
  CREATE TABLE keyroster.audit_log (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    recorded_at timestamptz NOT NULL,
    actor text NOT NULL
      CHECK (char_length(actor) BETWEEN 1 AND 128 AND actor !~ '[[:cntrl:]]' AND actor !~ '-admin01-[0-9A-Za-z]{49}'),
    database_user text NOT NULL,
    action text COLLATE "C" NOT NULL CHECK (action ~ '^[a-z_]{1,64}$'),
    organization_id text COLLATE "C" CHECK (organization_id ~ '^[A-Za-z0-9_-]{1,128}$'),
    subject_id text COLLATE "C" CHECK (subject_id ~ '^[A-Za-z0-9_-]{1,128}$'),
    details json NOT NULL CHECK (char_length(details::text) <= 1000)
  );

  CREATE FUNCTION keyroster.sign_audit_entry() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    new.recorded_at := clock_timestamp();
    new.database_user := session_user;
    RETURN new;
  END $$;

  CREATE TRIGGER sign_rows BEFORE INSERT ON keyroster.audit_log
    FOR EACH ROW EXECUTE FUNCTION keyroster.sign_audit_entry();

  CREATE FUNCTION keyroster.guard_audit_log() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    RAISE restrict_violation USING MESSAGE = 'the audit log is append-only';
  END $$;

  CREATE TRIGGER guard_table BEFORE UPDATE OR DELETE OR TRUNCATE ON keyroster.audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION keyroster.guard_audit_log();

  ALTER TABLE keyroster.admin_keys ADD COLUMN networks text; -- with commas; NULL: from anywhere
  ALTER TABLE keyroster.admin_keys ADD CONSTRAINT admin_keys_networks
    CHECK (networks ~ '^[0-9A-Fa-f.:/,]+$' AND char_length(networks) <= 1000);
  ALTER TABLE keyroster.admin_keys ADD COLUMN replaced_by text COLLATE "C"; -- the ID of the key that it was rotated to
  ALTER TABLE keyroster.admin_keys ADD COLUMN last_used_on date; -- in UTC
  `;
