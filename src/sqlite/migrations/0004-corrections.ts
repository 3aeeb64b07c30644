/**
 * Released, so it must not be edited: every store at this version has exactly this schema. It is literal text and uses no
 * constant of the code.
 *
 * What an operator may take back: an import, and an organization with all that is of it. A row may be deleted only while its
 * organization is being deleted, or the import that wrote it last is being reverted. `api_keys.import` is the number of that import;
 * 0 where no import wrote the row, and negative where anything else wrote it since.
 *
 * The values of declared fields are a JSON object by the field's number. A removed field keeps its row, so that its number is
 * never used again and old values never come back.
 *
 * SQLite can't change a CHECK, so the audit log is made again: it takes any action now.
 */
export const corrections = `
  ALTER TABLE organizations ADD COLUMN disabled_at INTEGER;
  ALTER TABLE organizations ADD COLUMN deleted_at INTEGER; -- since when it is being deleted

  -- The order of their lists.
  CREATE INDEX organizations_created_at ON organizations (created_at, id);
  CREATE INDEX admin_keys_created_at ON admin_keys (created_at, id);

  CREATE TABLE imports (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL, -- of the whole import, which may be of many organizations
    organization INTEGER NOT NULL REFERENCES organizations,
    recorded_at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    inserted INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    unchanged INTEGER NOT NULL,
    reverted_at INTEGER,
    UNIQUE (id, organization)
  ) STRICT;
  CREATE INDEX imports_organization ON imports (organization);

  CREATE TABLE import_updates ( -- what a key was before
    import INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    record TEXT NOT NULL,
    declared TEXT,
    import_before INTEGER NOT NULL,
    PRIMARY KEY (import, key_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE fields (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL CHECK (length(name) <= 63 AND name NOT GLOB '*[^a-z0-9_]*' AND name GLOB '[a-z]*'),
    type TEXT NOT NULL CHECK (json_valid(type)),
    created_at INTEGER NOT NULL,
    removed_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX fields_name ON fields (name) WHERE removed_at IS NULL;

  ALTER TABLE api_keys ADD COLUMN import INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE api_keys ADD COLUMN declared TEXT;

  DROP TRIGGER api_keys_are_never_deleted;
  CREATE TRIGGER api_keys_are_never_deleted BEFORE DELETE ON api_keys
  WHEN NOT EXISTS (SELECT 1 FROM organizations WHERE number = old.organization AND deleted_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM imports WHERE number = old.import AND reverted_at IS NOT NULL)
  BEGIN SELECT RAISE(ABORT, 'API keys are never deleted'); END;

  DROP TRIGGER api_keys_archived_is_final;
  CREATE TRIGGER api_keys_archived_is_final BEFORE UPDATE OF status ON api_keys
  WHEN old.status = 2 AND new.status <> 2
    AND NOT EXISTS (SELECT 1 FROM imports WHERE number = old.import AND reverted_at IS NOT NULL)
  BEGIN SELECT RAISE(ABORT, 'archived is final'); END;

  DROP TRIGGER organizations_are_never_deleted;
  CREATE TRIGGER organizations_are_never_deleted BEFORE DELETE ON organizations
  WHEN old.deleted_at IS NULL
  BEGIN SELECT RAISE(ABORT, 'organizations are never deleted'); END;

  CREATE TRIGGER organizations_deletion_is_final BEFORE UPDATE OF deleted_at ON organizations
  WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NOT old.deleted_at
  BEGIN SELECT RAISE(ABORT, 'the organization is being deleted'); END;

  DROP TRIGGER admin_keys_are_never_deleted;
  CREATE TRIGGER admin_keys_are_never_deleted BEFORE DELETE ON admin_keys
  WHEN NOT EXISTS (SELECT 1 FROM organizations WHERE number = old.organization AND deleted_at IS NOT NULL)
  BEGIN SELECT RAISE(ABORT, 'admin keys are never deleted: revoke them'); END;

  DROP TRIGGER audit_log_is_never_updated;
  DROP TRIGGER audit_log_is_never_deleted;
  DROP TRIGGER audit_log_is_never_replaced;
  ALTER TABLE audit_log RENAME TO former_audit_log;
  CREATE TABLE audit_log (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    recorded_at INTEGER NOT NULL -- microseconds since 1970
      CHECK (recorded_at BETWEEN -62167219200000000 AND 253402300799999999), -- the years 0 to 9999
    actor TEXT NOT NULL CHECK (length(actor) <= 128 AND trim(actor) <> ''),
    action TEXT NOT NULL CHECK (length(action) BETWEEN 1 AND 63 AND action NOT GLOB '*[^a-z_]*'),
    organization_id TEXT CHECK (length(organization_id) BETWEEN 1 AND 128 AND organization_id NOT GLOB '*[^A-Za-z0-9_-]*'),
    subject_id TEXT CHECK (length(subject_id) BETWEEN 1 AND 128 AND subject_id NOT GLOB '*[^A-Za-z0-9_-]*'),
    details TEXT NOT NULL CHECK (length(details) <= 1000 AND json_valid(details)
      AND details GLOB '{*}' AND details NOT GLOB '?*[[{]*') -- an object without another in it
  ) STRICT;
  INSERT INTO audit_log SELECT * FROM former_audit_log;
  DROP TABLE former_audit_log;

  CREATE TRIGGER audit_log_is_never_updated BEFORE UPDATE ON audit_log
  BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

  CREATE TRIGGER audit_log_is_never_deleted BEFORE DELETE ON audit_log
  BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

  CREATE TRIGGER audit_log_is_never_replaced BEFORE INSERT ON audit_log
  WHEN EXISTS (SELECT 1 FROM audit_log WHERE number = new.number)
  BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
  `;
