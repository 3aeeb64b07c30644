-- What the list needs of schema.prisma's table: a column of the status, an index for each combination of the two filters that it has,
-- and views with the names of store.mjs. There are no workspaces.
ALTER TABLE ApiKey ADD COLUMN status varchar(8) CHARACTER SET ascii COLLATE ascii_bin
  GENERATED ALWAYS AS (IF(revokedAt IS NULL, 'active', 'archived')) VIRTUAL;
ALTER TABLE ApiKey
  ADD INDEX listing (teamId, createdAt, id),
  ADD INDEX listing_status (teamId, status, createdAt, id),
  ADD INDEX listing_creator (teamId, userId, createdAt, id),
  ADD INDEX listing_status_creator (teamId, status, userId, createdAt, id);

CREATE VIEW listed AS
  SELECT teamId AS organization, id, createdAt AS created_at, name, CONCAT(prefix, '...~') AS hint, status, userId AS creator
  FROM ApiKey;
CREATE VIEW listing AS
  SELECT teamId AS organization, id, createdAt AS created_at, name, CONCAT(prefix, '...~') AS hint, status, userId AS creator
  FROM ApiKey FORCE INDEX (listing);
CREATE VIEW listing_status AS
  SELECT teamId AS organization, id, createdAt AS created_at, name, CONCAT(prefix, '...~') AS hint, status, userId AS creator
  FROM ApiKey FORCE INDEX (listing_status);
CREATE VIEW listing_creator AS
  SELECT teamId AS organization, id, createdAt AS created_at, name, CONCAT(prefix, '...~') AS hint, status, userId AS creator
  FROM ApiKey FORCE INDEX (listing_creator);
CREATE VIEW listing_status_creator AS
  SELECT teamId AS organization, id, createdAt AS created_at, name, CONCAT(prefix, '...~') AS hint, status, userId AS creator
  FROM ApiKey FORCE INDEX (listing_status_creator);

CREATE USER keyroster IDENTIFIED BY 'change-this';
GRANT SELECT ON listed TO keyroster;
GRANT SELECT ON listing TO keyroster;
GRANT SELECT ON listing_status TO keyroster;
GRANT SELECT ON listing_creator TO keyroster;
GRANT SELECT ON listing_status_creator TO keyroster;
