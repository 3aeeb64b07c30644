/**
 * Released, so it must not be edited: every store at version 1 has exactly this schema. It is literal text and uses no
 * constant of the code.
 *
 * The table is stored in the order of the pages (WITHOUT ROWID). `record` is the JSON record without its head
 * (`src/sqlite/record.ts`). Organizations, workspaces and creators have numbers, as their IDs would take more space in every
 * index. The filter indexes have the status after the other filters: a page without a status filter merges one range for each
 * status. So four indexes are enough for eight combinations of filters; docs/architecture.md has the measurements.
 */
export const initial = `
  CREATE TABLE organizations (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE admin_keys (
    digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    id TEXT NOT NULL UNIQUE,
    organization INTEGER NOT NULL REFERENCES organizations,
    name TEXT NOT NULL,
    last_characters TEXT NOT NULL CHECK (length(last_characters) <= 4),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
  ) STRICT, WITHOUT ROWID;

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
    created_at INTEGER NOT NULL, -- microseconds since 1970
    id TEXT NOT NULL,
    status INTEGER NOT NULL CHECK (status BETWEEN 0 AND 2),
    workspace INTEGER NOT NULL, -- 0: the default workspace
    creator INTEGER NOT NULL REFERENCES creators,
    record TEXT NOT NULL,
    PRIMARY KEY (organization, created_at, id)
  ) STRICT, WITHOUT ROWID;

  CREATE UNIQUE INDEX api_keys_id ON api_keys (organization, id);
  CREATE INDEX api_keys_status ON api_keys (organization, status, created_at, id);
  CREATE INDEX api_keys_workspace ON api_keys (organization, workspace, status, created_at, id);
  CREATE INDEX api_keys_creator ON api_keys (organization, creator, status, created_at, id);
  CREATE INDEX api_keys_workspace_creator
    ON api_keys (organization, workspace, creator, status, created_at, id);

  CREATE TRIGGER api_keys_are_never_deleted BEFORE DELETE ON api_keys
  BEGIN SELECT RAISE(ABORT, 'API keys are never deleted'); END;

  CREATE TRIGGER api_keys_creation_never_changes
  BEFORE UPDATE OF organization, created_at, id, creator ON api_keys
  WHEN (old.organization, old.created_at, old.id, old.creator)
    IS NOT (new.organization, new.created_at, new.id, new.creator)
  BEGIN SELECT RAISE(ABORT, 'the creation of an API key never changes'); END;

  CREATE TRIGGER api_keys_archived_is_final BEFORE UPDATE OF status ON api_keys
  WHEN old.status = 2 AND new.status <> 2
  BEGIN SELECT RAISE(ABORT, 'archived is final'); END;
  `;
