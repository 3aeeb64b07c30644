/**
 * Released, so it must not be edited: every store at this version has exactly this schema. It is literal text and uses no
 * constant of the code.
 *
 * The audit log has no reference to other tables: an entry outlives what it is about. Without one, Citus leaves the table on the
 * coordinator, where an entry commits with the act, and its trigger runs once and not once for each worker.
 *
 * Whoever may insert an entry can choose its actor. The time and the database's user are not theirs to choose. As an entry
 * stays, nothing may get in that hides others or that Keyroster can't list: actors are those of `parseActor`, and details are one
 * flat object of short values, as `JSON.stringify` writes it. A new action needs a migration.
 *
 * A network is cast to `inet`, which refuses the statement where it isn't one.
 */
export const auditLog = {
  statements: [
    String.raw`
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
    action text COLLATE "C" NOT NULL CHECK (action IN ('migrate', 'create_organization', 'create_admin_key',
      'revoke_admin_key', 'rotate_admin_key', 'record_admin_key_use', 'import', 'set_status')),
    organization_id text COLLATE "C" CHECK (organization_id ~ '^[A-Za-z0-9_-]{1,128}$'),
    subject_id text COLLATE "C" CHECK (subject_id ~ '^[A-Za-z0-9_-]{1,128}$'),
    details json NOT NULL CHECK (
      char_length(details::text) <= 1000 AND details::text !~ '-admin01-[0-9A-Za-z]{49}'
      AND details::text ~ '^[{](("[a-z_]+":("[ !#-\[\]-~]*"|-?[0-9]{1,15}|true|false|null))(,(?!})|(?=})))*[}]$')
  );
`,
    `
  CREATE FUNCTION keyroster.sign_audit_entry() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    new.recorded_at := clock_timestamp();
    new.database_user := session_user;
    RETURN new;
  END $$;
`,
    `
  CREATE TRIGGER sign_rows BEFORE INSERT ON keyroster.audit_log
    FOR EACH ROW EXECUTE FUNCTION keyroster.sign_audit_entry();
`,
    `
  CREATE FUNCTION keyroster.guard_audit_log() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    RAISE restrict_violation USING MESSAGE = 'the audit log is append-only';
  END $$;
`,
    `
  CREATE TRIGGER guard_table BEFORE UPDATE OR DELETE OR TRUNCATE ON keyroster.audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION keyroster.guard_audit_log();
`,
    `
  ALTER TABLE keyroster.admin_keys ADD COLUMN networks text; -- with commas; NULL: from anywhere
`,
    `  ALTER TABLE keyroster.admin_keys ADD CONSTRAINT admin_keys_networks
    CHECK (networks ~ '^[0-9A-Fa-f.:/,]+$' AND char_length(networks) <= 1000
      AND cardinality(('{' || networks || '}')::inet[]) <= 20);
`,
    `  ALTER TABLE keyroster.admin_keys ADD COLUMN replaced_by text COLLATE "C"; -- the ID of the key that it was rotated to
`,
    `  ALTER TABLE keyroster.admin_keys ADD COLUMN last_used_on date; -- in UTC
  `,
  ],
};
