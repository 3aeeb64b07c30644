import { plainError, readable } from './others-code.ts';

/** In one line. An error of another's code may contain thousands, or itself. */
const MAX_ERRORS = 100;

/**
 * An error in a log line: with its causes and its own texts and numbers. Other fields may be a whole request, or refer to themselves.
 * Whatever throws when it is read is left out. `told`: the errors that the line has already.
 */
export function loggedError(error: unknown, told = new Set<unknown>()): object {
  const causes = causesOf(error, told).map(plainError);
  const known = {
    type: readable(() => String((error as Error).constructor.name)) ?? 'Error',
    message: causes.map(cause => cause.message).join(': '),
    stack: causes.map(cause => cause.stack).join('\ncaused by: '),
    aggregateErrors: readable(() => aggregateErrors(error as AggregateError, told)),
  };
  const fields = readable(() => Object.entries(error as Error)) ?? [];
  const own = fields.filter(([, value]) => /^(string|number|boolean)$/.test(typeof value));
  return { ...known, ...Object.fromEntries(own), ...known };
}

/** The error itself first. */
function causesOf(error: unknown, told: Set<unknown>): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; causes.length === 0 || isNew(cause, told); ) {
    told.add(cause);
    causes.push(cause);
    cause = readable(() => (cause as Error).cause);
  }
  return causes;
}

function aggregateErrors({ errors }: AggregateError, told: Set<unknown>): unknown[] | undefined {
  if (!Array.isArray(errors)) return undefined;
  const shown = (error: unknown): unknown[] => {
    if (!isError(error)) return [plainError(error).message];
    return isNew(error, told) ? [loggedError(error, told)] : [];
  };
  return errors.slice(0, MAX_ERRORS).flatMap(shown);
}

function isNew(error: unknown, told: Set<unknown>): boolean {
  return told.size < MAX_ERRORS && !told.has(error) && isError(error);
}

function isError(value: unknown): boolean {
  return readable(() => value instanceof Error) === true;
}
