-- What the list needs: the status as a column, an index for each combination of filters, and a user that can't read key_hash.
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
GRANT SELECT (id, account_id, project_id, name, hint, status, created_by, created_by_type, created_at)
  ON api_keys TO keyroster;
