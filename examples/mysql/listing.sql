-- What the list needs: the status as a column, an index for each combination of filters, a view that reads by each of them, and a
-- user that has the views alone. Rights to columns of the table wouldn't do: with them MariaDB's HANDLER reads all columns.
-- A combination without a view of its own is read by `listing`: each key of the organization until the page is full.
ALTER TABLE api_keys ADD COLUMN status varchar(8) CHARACTER SET ascii COLLATE ascii_bin GENERATED ALWAYS AS (
  CASE WHEN revoked_at IS NOT NULL THEN 'archived' WHEN enabled THEN 'active' ELSE 'inactive' END
) VIRTUAL;

ALTER TABLE api_keys
  ADD INDEX listing (account_id, created_at, id),
  ADD INDEX listing_status (account_id, status, created_at, id),
  ADD INDEX listing_workspace (account_id, project_id, created_at, id),
  ADD INDEX listing_creator (account_id, created_by, created_at, id),
  ADD INDEX listing_status_workspace (account_id, status, project_id, created_at, id),
  ADD INDEX listing_status_creator (account_id, status, created_by, created_at, id),
  ADD INDEX listing_workspace_creator (account_id, project_id, created_by, created_at, id),
  ADD INDEX listing_status_workspace_creator (account_id, status, project_id, created_by, created_at, id);

-- The first finds the key of a cursor. Without the index that the others name both servers take another for some pages, and read all
-- rows before the cursor.
CREATE VIEW listed AS SELECT account_id AS organization, id, created_at, name, hint, status, project_id AS workspace, created_by AS creator,
  created_by_type AS creator_type FROM api_keys;
CREATE VIEW listing AS SELECT account_id AS organization, id, created_at, name, hint, status, project_id AS workspace, created_by AS creator,
  created_by_type AS creator_type FROM api_keys FORCE INDEX (listing);
CREATE VIEW listing_status AS SELECT account_id AS organization, id, created_at, name, hint, status, project_id AS workspace, created_by AS creator,
  created_by_type AS creator_type FROM api_keys FORCE INDEX (listing_status);
CREATE VIEW listing_workspace AS SELECT account_id AS organization, id, created_at, name, hint, status, project_id AS workspace, created_by AS creator,
  created_by_type AS creator_type FROM api_keys FORCE INDEX (listing_workspace);
CREATE VIEW listing_creator AS SELECT account_id AS organization, id, created_at, name, hint, status, project_id AS workspace, created_by AS creator,
  created_by_type AS creator_type FROM api_keys FORCE INDEX (listing_creator);
CREATE VIEW listing_status_workspace AS SELECT account_id AS organization, id, created_at, name, hint, status, project_id AS workspace, created_by AS creator,
  created_by_type AS creator_type FROM api_keys FORCE INDEX (listing_status_workspace);
CREATE VIEW listing_status_creator AS SELECT account_id AS organization, id, created_at, name, hint, status, project_id AS workspace, created_by AS creator,
  created_by_type AS creator_type FROM api_keys FORCE INDEX (listing_status_creator);
CREATE VIEW listing_workspace_creator AS SELECT account_id AS organization, id, created_at, name, hint, status, project_id AS workspace, created_by AS creator,
  created_by_type AS creator_type FROM api_keys FORCE INDEX (listing_workspace_creator);
CREATE VIEW listing_status_workspace_creator AS SELECT account_id AS organization, id, created_at, name, hint, status, project_id AS workspace, created_by AS creator,
  created_by_type AS creator_type FROM api_keys FORCE INDEX (listing_status_workspace_creator);

CREATE USER keyroster IDENTIFIED BY 'change-this';
GRANT SELECT ON listed TO keyroster;
GRANT SELECT ON listing TO keyroster;
GRANT SELECT ON listing_status TO keyroster;
GRANT SELECT ON listing_workspace TO keyroster;
GRANT SELECT ON listing_creator TO keyroster;
GRANT SELECT ON listing_status_workspace TO keyroster;
GRANT SELECT ON listing_status_creator TO keyroster;
GRANT SELECT ON listing_workspace_creator TO keyroster;
GRANT SELECT ON listing_status_workspace_creator TO keyroster;
