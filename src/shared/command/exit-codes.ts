/** docs/operations.md and docs/admin.md have them. 0: done. */
export const EXIT_CODES = {
  /** Also where `report` finds a broken policy, or `check` something wrong. */
  failed: 1,
  wrongUsage: 2,
  locked: 3,
  /** It was done, and something needs a look: lines were refused, rosters differ, there is no such key. */
  needsALook: 4,
  /** Nothing can be told: `find` has keys that may be the one, or the directory of `list` knows none of the creators. */
  unsure: 5,
} as const;
