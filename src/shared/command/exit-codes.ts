/** docs/operations.md and docs/admin.md have them. 0: done. */
export const EXIT_CODES = {
  /** Also what Node ends with when it crashes, so for the admin it says that nothing was found out. `check` has it for what is wrong. */
  failed: 1,
  wrongUsage: 2,
  locked: 3,
  /** It was done, and something needs a look: lines were refused, a policy is broken, rosters differ, there is no such key. */
  needsALook: 4,
  /** Nothing can be told: `find` has keys that may be the one, or the directory of `list` knows none of the creators. */
  unsure: 5,
} as const;
