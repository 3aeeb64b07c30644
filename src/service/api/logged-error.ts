/** An error in a log line: with its causes and its own texts and numbers. Other fields may be a whole request, or refer to themselves. */
export function loggedError(error: Error & { errors?: unknown }): object {
  const causes = causesOf(error);
  const known = {
    type: error.constructor.name,
    message: causes.map(cause => cause.message).join(': '),
    stack: causes.map(cause => cause.stack).join('\ncaused by: '),
    aggregateErrors: Array.isArray(error.errors) ? error.errors : undefined,
  };
  const own = Object.entries(error).filter(([, value]) => /^(string|number|boolean)$/.test(typeof value));
  return { ...known, ...Object.fromEntries(own), ...known };
}

/** The error itself first. */
function causesOf(error: Error): Error[] {
  const causes = new Set<Error>();
  for (let cause: unknown = error; cause instanceof Error && !causes.has(cause); cause = cause.cause)
    causes.add(cause);
  return [...causes];
}
