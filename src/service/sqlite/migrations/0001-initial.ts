/**
 * The schema of 0.1.0. It must not be edited, which would make stores that are there unusable: a store keeps the digest of each step.
 * It is literal text and uses no constant of the code.
 *
 * API keys are stored in the order of the pages (WITHOUT ROWID). `record` is the JSON that is sent.
 * Organizations, workspaces and creators have numbers, as their IDs would take more space in every
 * index. The filter indexes have the status after the other filters: a page without a status filter merges one range for each
 * status. So four indexes are enough for eight combinations of filters; docs/decisions.md has the measurements.
 *
 * An operator may take back an import, and an organization with all that is of it. A row may be deleted only while its
 * organization is being deleted, or the import that inserted it is being reverted. `api_keys.import` is the number of that import;
 * 0 where none did, and negative where anything changed the row since. `archived` may become what it was before only while the import
 * that archived the key is being reverted, which then deletes its rows of `import_statuses`.
 *
 * The values of declared fields are a JSON object by the field's number. A removed field keeps its row, so that its number is
 * never used again and old values never come back.
 *
 * `store` has one row: the ID by which a store and its backups are known. In a copy that a backup made, `copied` is 1 until what
 * ended since was repeated.
 *
 * The audit log has no reference to other tables: an entry outlives what it is about. `INSERT OR REPLACE` deletes a row without
 * running its triggers, so a number that exists is refused first. It takes any action: those that there are, the code knows.
 */
export const initial = `
  CREATE TABLE migrations (
    number INTEGER PRIMARY KEY,
    digest TEXT NOT NULL,
    usable_from INTEGER NOT NULL -- the oldest schema whose release can use the store after this migration
  ) STRICT;

  CREATE TABLE store (
    id TEXT NOT NULL,
    copied INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO store (id) VALUES ('store_' || lower(hex(randomblob(8))));

  CREATE TABLE organizations (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL, -- microseconds since 1970, as all times
    disabled_at INTEGER,
    deleted_at INTEGER -- since when it is being deleted
  ) STRICT;
  CREATE INDEX organizations_created_at ON organizations (created_at, id);

  CREATE TABLE admin_keys (
    digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    id TEXT NOT NULL UNIQUE,
    organization INTEGER NOT NULL REFERENCES organizations,
    name TEXT NOT NULL,
    last_characters TEXT NOT NULL CHECK (length(last_characters) <= 4),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    networks TEXT CHECK (length(networks) > 0), -- with commas; NULL: from anywhere
    replaced_by TEXT, -- the ID of the key that it was rotated to
    workspace_id TEXT -- the only one whose keys it lists; NULL: it lists the whole organization
      CHECK (length(workspace_id) BETWEEN 1 AND 255 AND workspace_id NOT GLOB '*[^]!#-;=?-[^-~]*')
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX admin_keys_created_at ON admin_keys (created_at, id);

  CREATE TABLE workspaces (
    number INTEGER PRIMARY KEY,
    organization INTEGER NOT NULL REFERENCES organizations,
    id TEXT NOT NULL,
    UNIQUE (organization, id)
  ) STRICT;

  CREATE TABLE creators (
    number INTEGER PRIMARY KEY,
    organization INTEGER NOT NULL REFERENCES organizations,
    id TEXT NOT NULL,
    UNIQUE (organization, id)
  ) STRICT;

  CREATE TABLE api_keys (
    organization INTEGER NOT NULL REFERENCES organizations,
    created_at INTEGER NOT NULL,
    id TEXT NOT NULL,
    status INTEGER NOT NULL CHECK (status BETWEEN 0 AND 2),
    workspace INTEGER NOT NULL, -- 0: the default workspace
    creator INTEGER NOT NULL REFERENCES creators,
    record TEXT NOT NULL, -- whole, as it is sent
    import INTEGER NOT NULL DEFAULT 0,
    declared TEXT,
    PRIMARY KEY (organization, created_at, id)
  ) STRICT, WITHOUT ROWID;

  CREATE UNIQUE INDEX api_keys_id ON api_keys (organization, id);
  CREATE INDEX api_keys_status ON api_keys (organization, status, created_at, id);
  CREATE INDEX api_keys_workspace ON api_keys (organization, workspace, status, created_at, id);
  CREATE INDEX api_keys_creator ON api_keys (organization, creator, status, created_at, id);
  CREATE INDEX api_keys_workspace_creator
    ON api_keys (organization, workspace, creator, status, created_at, id);

  CREATE TABLE fields (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL CHECK (length(name) <= 63 AND name NOT GLOB '*[^a-z0-9_]*' AND name GLOB '[a-z]*'),
    type TEXT NOT NULL CHECK (json_valid(type)),
    created_at INTEGER NOT NULL,
    removed_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX fields_name ON fields (name) WHERE removed_at IS NULL;

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

  CREATE TABLE import_statuses ( -- the keys whose status an import changed
    import INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    status INTEGER NOT NULL,
    status_before INTEGER NOT NULL,
    PRIMARY KEY (import, key_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE audit_log (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    recorded_at INTEGER NOT NULL
      CHECK (recorded_at BETWEEN -62167219200000000 AND 253402300799999999), -- the years 0 to 9999
    actor TEXT NOT NULL CHECK (length(actor) <= 128 AND trim(actor) <> ''),
    action TEXT NOT NULL CHECK (length(action) BETWEEN 1 AND 63 AND action NOT GLOB '*[^a-z_]*'),
    organization_id TEXT CHECK (length(organization_id) BETWEEN 1 AND 255 AND organization_id NOT GLOB '*[^]!#-;=?-[^-~]*'),
    subject_id TEXT CHECK (length(subject_id) BETWEEN 1 AND 255 AND subject_id NOT GLOB '*[^]!#-;=?-[^-~]*'),
    details TEXT NOT NULL CHECK (length(details) <= 1000 AND json_valid(details)
      AND details GLOB '{*}' AND details NOT GLOB '?*[[{]*') -- an object without another in it
  ) STRICT;

  CREATE TRIGGER organizations_are_never_deleted BEFORE DELETE ON organizations
  WHEN old.deleted_at IS NULL
  BEGIN SELECT RAISE(ABORT, 'organizations are never deleted'); END;

  CREATE TRIGGER organizations_deletion_is_final BEFORE UPDATE OF deleted_at ON organizations
  WHEN old.deleted_at IS NOT NULL AND new.deleted_at IS NOT old.deleted_at
  BEGIN SELECT RAISE(ABORT, 'the organization is being deleted'); END;

  CREATE TRIGGER organizations_creation_never_changes BEFORE UPDATE OF number, id, created_at ON organizations
  WHEN (old.number, old.id, old.created_at) IS NOT (new.number, new.id, new.created_at)
  BEGIN SELECT RAISE(ABORT, 'the ID and the creation of an organization never change'); END;

  CREATE TRIGGER admin_keys_are_never_deleted BEFORE DELETE ON admin_keys
  WHEN NOT EXISTS (SELECT 1 FROM organizations WHERE number = old.organization AND deleted_at IS NOT NULL)
  BEGIN SELECT RAISE(ABORT, 'admin keys are never deleted: revoke them'); END;

  CREATE TRIGGER admin_keys_creation_never_changes
  BEFORE UPDATE OF digest, id, organization, workspace_id, last_characters, created_at ON admin_keys
  WHEN (old.digest, old.id, old.organization, old.workspace_id, old.last_characters, old.created_at)
    IS NOT (new.digest, new.id, new.organization, new.workspace_id, new.last_characters, new.created_at)
  BEGIN
    SELECT RAISE(ABORT, 'the ID, the digest, the organization, the workspace and the creation of an admin key never change');
  END;

  CREATE TRIGGER admin_keys_revocation_is_final BEFORE UPDATE OF revoked_at ON admin_keys
  WHEN old.revoked_at IS NOT NULL AND new.revoked_at IS NOT old.revoked_at
  BEGIN SELECT RAISE(ABORT, 'a revocation is final'); END;

  CREATE TRIGGER admin_keys_expiry_only_moves_earlier BEFORE UPDATE OF expires_at ON admin_keys
  WHEN old.expires_at IS NOT NULL AND (new.expires_at IS NULL OR new.expires_at > old.expires_at)
  BEGIN SELECT RAISE(ABORT, 'the expiry of an admin key only moves earlier'); END;

  CREATE TRIGGER api_keys_are_never_deleted BEFORE DELETE ON api_keys
  WHEN NOT EXISTS (SELECT 1 FROM organizations WHERE number = old.organization AND deleted_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM imports WHERE number = old.import AND reverted_at IS NOT NULL)
  BEGIN SELECT RAISE(ABORT, 'API keys are never deleted'); END;

  CREATE TRIGGER api_keys_creation_never_changes
  BEFORE UPDATE OF organization, created_at, id, creator ON api_keys
  WHEN (old.organization, old.created_at, old.id, old.creator)
    IS NOT (new.organization, new.created_at, new.id, new.creator)
  BEGIN SELECT RAISE(ABORT, 'the creation of an API key never changes'); END;

  CREATE TRIGGER api_keys_archived_is_final BEFORE UPDATE OF status ON api_keys
  WHEN old.status = 2 AND new.status <> 2
    AND NOT EXISTS (SELECT 1 FROM imports JOIN import_statuses ON import = number AND key_id = old.id
      WHERE organization = old.organization AND reverted_at IS NOT NULL)
  BEGIN SELECT RAISE(ABORT, 'archived is final'); END;

  CREATE TRIGGER audit_log_is_never_updated BEFORE UPDATE ON audit_log
  BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

  CREATE TRIGGER audit_log_is_never_deleted BEFORE DELETE ON audit_log
  BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

  CREATE TRIGGER audit_log_is_never_replaced BEFORE INSERT ON audit_log
  WHEN EXISTS (SELECT 1 FROM audit_log WHERE number = new.number)
  BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
  `;
