-- What the list needs of Laravel Sanctum's table: one index, and views with the names of store.mjs. Each user is an organization, and
-- the creator of its keys. There are no workspaces, and no status: a token that is revoked is deleted.
-- Of a token Sanctum keeps only the hash, and the ID, with which it begins.
ALTER TABLE personal_access_tokens ADD INDEX listing (tokenable_type, tokenable_id, created_at, id);

CREATE VIEW listed AS
  SELECT tokenable_id AS organization, id, created_at, name, CONCAT(id, '...~') AS hint, tokenable_id AS creator
  FROM personal_access_tokens WHERE tokenable_type = 'App\\Models\\User' AND created_at IS NOT NULL;
CREATE VIEW listing AS
  SELECT tokenable_id AS organization, id, created_at, name, CONCAT(id, '...~') AS hint, tokenable_id AS creator
  FROM personal_access_tokens FORCE INDEX (listing)
  WHERE tokenable_type = 'App\\Models\\User' AND created_at IS NOT NULL;

CREATE USER keyroster IDENTIFIED BY 'change-this';
GRANT SELECT ON listed TO keyroster;
GRANT SELECT ON listing TO keyroster;
