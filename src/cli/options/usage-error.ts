/** A command line that can't mean anything. The message names the option and its rule, never the value. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
