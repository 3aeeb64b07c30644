/**
 * Released, so it must not be edited: every store at this version has exactly this schema. It is literal text and uses no
 * constant of the code.
 *
 * The audit log has no reference to other tables: an entry outlives what it is about. `INSERT OR REPLACE` deletes a row without
 * running its triggers, so a number that exists is refused first. A new action needs a migration.
 */
export const auditLog = `
  CREATE TABLE audit_log (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    recorded_at INTEGER NOT NULL -- microseconds since 1970
      CHECK (recorded_at BETWEEN -62167219200000000 AND 253402300799999999), -- the years 0 to 9999
    actor TEXT NOT NULL CHECK (length(actor) <= 128 AND trim(actor) <> ''),
    action TEXT NOT NULL CHECK (action IN ('migrate', 'create_organization', 'create_admin_key', 'revoke_admin_key',
      'rotate_admin_key', 'record_admin_key_use', 'import', 'set_status')),
    organization_id TEXT CHECK (length(organization_id) BETWEEN 1 AND 128 AND organization_id NOT GLOB '*[^A-Za-z0-9_-]*'),
    subject_id TEXT CHECK (length(subject_id) BETWEEN 1 AND 128 AND subject_id NOT GLOB '*[^A-Za-z0-9_-]*'),
    details TEXT NOT NULL CHECK (length(details) <= 1000 AND json_valid(details)
      AND details GLOB '{*}' AND details NOT GLOB '?*[[{]*') -- an object without another in it
  ) STRICT;

  CREATE TRIGGER audit_log_is_never_updated BEFORE UPDATE ON audit_log
  BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

  CREATE TRIGGER audit_log_is_never_deleted BEFORE DELETE ON audit_log
  BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

  CREATE TRIGGER audit_log_is_never_replaced BEFORE INSERT ON audit_log
  WHEN EXISTS (SELECT 1 FROM audit_log WHERE number = new.number)
  BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

  ALTER TABLE admin_keys ADD COLUMN networks TEXT CHECK (length(networks) > 0); -- with commas; NULL: from anywhere
  ALTER TABLE admin_keys ADD COLUMN replaced_by TEXT; -- the ID of the key that it was rotated to
  ALTER TABLE admin_keys ADD COLUMN last_used_on TEXT CHECK (last_used_on GLOB '????-??-??'); -- in UTC
  `;
