/**
 * Released, so it must not be edited: every store at this version has exactly this schema. It is literal text and uses no
 * constant of the code.
 *
 * A release that is older than the store reads here whether it can go on: the oldest schema whose release can use the store after
 * that migration.
 */
export const usableFrom = {
  usableFrom: 6,
  statements: ['ALTER TABLE keyroster.migrations ADD COLUMN usable_from integer'],
};
