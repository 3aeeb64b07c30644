/** docs/operations.md and docs/admin.md have them. */
export const EXIT_CODES = {
  /** Also where `report` finds a broken policy, or `check` something wrong. */
  failed: 1,
  wrongUsage: 2,
  locked: 3,
  /** It has looked, and the answer is no: the rosters of `diff` differ; there is no such key for `find` or `get`. */
  answerIsNo: 4,
} as const;
