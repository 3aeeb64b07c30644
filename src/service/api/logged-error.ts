import { plainError, readable } from './foreign-errors.ts';

/** Of causes, and of the errors in an `AggregateError`: those of another's code may be thousands, or contain themselves. */
const MAX_ERRORS = 20;

/**
 * An error in a log line: with its causes, the messages of the errors in it, and its own texts and numbers. Other fields may be a whole
 * request, or refer to themselves. Whatever throws when it is read is left out.
 */
export function loggedError(error: unknown): object {
  const causes = causesOf(error).map(plainError);
  const known = {
    type: readable(() => String((error as Error).constructor.name)) ?? 'Error',
    message: causes.map(cause => cause.message).join(': '),
    stack: causes.map(cause => cause.stack).join('\ncaused by: '),
    aggregateErrors: readable(() => messagesOf(error as AggregateError)),
  };
  const fields = readable(() => Object.entries(error as Error)) ?? [];
  const own = fields.filter(([, value]) => /^(string|number|boolean)$/.test(typeof value));
  return { ...known, ...Object.fromEntries(own), ...known };
}

/** The error itself first. */
function causesOf(error: unknown): unknown[] {
  const causes = [error];
  while (causes.length < MAX_ERRORS) {
    const cause = readable(() => (causes.at(-1) as Error).cause);
    if (causes.includes(cause) || !readable(() => cause instanceof Error)) break;
    causes.push(cause);
  }
  return causes;
}

function messagesOf({ errors }: AggregateError): string[] | undefined {
  if (!Array.isArray(errors)) return undefined;
  return errors.slice(0, MAX_ERRORS).map(error => plainError(error).message);
}
