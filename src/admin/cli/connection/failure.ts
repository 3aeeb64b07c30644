import { KeyrosterError } from '../../../client/errors.ts';
import { EXIT_CODES } from '../../../shared/command/exit-codes.ts';
import type { Failure } from '../../../shared/command/program.ts';

/** What an error of the client is told by; `undefined`: it is another one. */
export function failureOf(error: Error): Failure | undefined {
  if (!(error instanceof KeyrosterError)) return undefined;
  const { message, type, requestId, retryAfterSeconds } = error;
  const answered = requestId === null ? '' : ` (${type}, ${requestId})`;
  const later = retryAfterSeconds ? `; try again in ${retryAfterSeconds.toLocaleString('en')} s` : '';
  return { message: `${message}${answered}${later}`, exitCode: EXIT_CODES.failed };
}
