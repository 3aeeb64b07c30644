-- What the list needs: the status as a column, an index for each combination of filters, a view that reads by each of them, and a
-- user that has the views alone. Rights to columns of the table wouldn't do: with them MariaDB's HANDLER reads all columns.
ALTER TABLE api_keys ADD COLUMN status varchar(8) CHARACTER SET ascii COLLATE ascii_bin GENERATED ALWAYS AS (
  CASE WHEN revoked_at IS NOT NULL THEN 'archived' WHEN enabled THEN 'active' ELSE 'inactive' END
) VIRTUAL;

ALTER TABLE api_keys
  ADD INDEX listing (account_id, created_at, id),
  ADD INDEX listing_status (account_id, status, created_at, id),
  ADD INDEX listing_project_id (account_id, project_id, created_at, id),
  ADD INDEX listing_created_by (account_id, created_by, created_at, id),
  ADD INDEX listing_status_project_id (account_id, status, project_id, created_at, id),
  ADD INDEX listing_status_created_by (account_id, status, created_by, created_at, id),
  ADD INDEX listing_project_id_created_by (account_id, project_id, created_by, created_at, id),
  ADD INDEX listing_status_project_id_created_by (account_id, status, project_id, created_by, created_at, id);

CREATE USER keyroster IDENTIFIED BY 'change-this';

-- Their columns have the names that store.mjs knows: `label AS name`. The first finds the key of a cursor. Without the index that the
-- others name both servers take another for some pages, and read all rows before the cursor.
CREATE VIEW listed AS
  SELECT id, account_id, project_id, name, hint, status, created_by, created_by_type, created_at FROM api_keys;
GRANT SELECT ON listed TO keyroster;
CREATE VIEW listing AS
  SELECT id, account_id, project_id, name, hint, status, created_by, created_by_type, created_at FROM api_keys FORCE INDEX (listing);
GRANT SELECT ON listing TO keyroster;
CREATE VIEW listing_status AS
  SELECT id, account_id, project_id, name, hint, status, created_by, created_by_type, created_at FROM api_keys FORCE INDEX (listing_status);
GRANT SELECT ON listing_status TO keyroster;
CREATE VIEW listing_project_id AS
  SELECT id, account_id, project_id, name, hint, status, created_by, created_by_type, created_at FROM api_keys FORCE INDEX (listing_project_id);
GRANT SELECT ON listing_project_id TO keyroster;
CREATE VIEW listing_created_by AS
  SELECT id, account_id, project_id, name, hint, status, created_by, created_by_type, created_at FROM api_keys FORCE INDEX (listing_created_by);
GRANT SELECT ON listing_created_by TO keyroster;
CREATE VIEW listing_status_project_id AS
  SELECT id, account_id, project_id, name, hint, status, created_by, created_by_type, created_at FROM api_keys FORCE INDEX (listing_status_project_id);
GRANT SELECT ON listing_status_project_id TO keyroster;
CREATE VIEW listing_status_created_by AS
  SELECT id, account_id, project_id, name, hint, status, created_by, created_by_type, created_at FROM api_keys FORCE INDEX (listing_status_created_by);
GRANT SELECT ON listing_status_created_by TO keyroster;
CREATE VIEW listing_project_id_created_by AS
  SELECT id, account_id, project_id, name, hint, status, created_by, created_by_type, created_at FROM api_keys FORCE INDEX (listing_project_id_created_by);
GRANT SELECT ON listing_project_id_created_by TO keyroster;
CREATE VIEW listing_status_project_id_created_by AS
  SELECT id, account_id, project_id, name, hint, status, created_by, created_by_type, created_at FROM api_keys FORCE INDEX (listing_status_project_id_created_by);
GRANT SELECT ON listing_status_project_id_created_by TO keyroster;
