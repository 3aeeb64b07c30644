/**
 * Released, so it must not be edited: every store at this version has exactly this schema. It is literal text and uses no
 * constant of the code.
 *
 * A release that is older than the store reads here whether it can go on: `user_version` says only that the store is newer.
 */
export const usableFrom = {
  usableFrom: 4,
  sql: `
  CREATE TABLE migrations (
    number INTEGER PRIMARY KEY,
    usable_from INTEGER NOT NULL -- the oldest schema whose release can use the store after this migration
  ) STRICT;
  `,
};
