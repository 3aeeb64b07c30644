/** Wrong usage of the command line. The message names the option and its rule, never the value. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
