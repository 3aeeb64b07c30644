-- A vendor's table, in MySQL 8 or MariaDB. Yours has other names: change listing.sql and rows.mjs.
CREATE TABLE api_keys (
  id varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  account_id varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  project_id varchar(255) CHARACTER SET ascii COLLATE ascii_bin,
  name varchar(1000) CHARACTER SET utf8mb4 NOT NULL,
  key_hash binary(32) NOT NULL UNIQUE,
  hint varchar(128) CHARACTER SET ascii NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  revoked_at datetime(6),
  created_by varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  created_by_type varchar(16) CHARACTER SET ascii NOT NULL,
  created_at datetime(6) NOT NULL
);
