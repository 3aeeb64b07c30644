import { RETRY_AFTER_SECONDS, SHED_RETRY_AFTER_SECONDS } from './limits.ts';
import type { ERROR_TYPES } from './schemas.ts';

type ErrorType = (typeof ERROR_TYPES)[number];

export type ErrorStatus = keyof typeof types;

/** An error that is answered to the caller. Its message names the field and the rule, and never repeats a value. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly type: ErrorType;
  readonly headers: Readonly<Record<string, string>>;
  /** What may be logged of what another's code has thrown. To read it takes time, so that is done when it is logged. */
  thrown?: () => Error;

  constructor(
    status: ErrorStatus,
    message: string,
    headers: Record<string, string> = {},
    type: ErrorType = types[status],
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.headers = headers;
  }
}

/** The `error.type` of each status (docs/api.md#errors). Only a 503 for overload has another, `overloaded_error`. */
const types = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  408: 'invalid_request_error',
  414: 'invalid_request_error',
  429: 'rate_limit_error',
  431: 'invalid_request_error',
  500: 'api_error',
  503: 'api_error',
} as const satisfies Record<number, ErrorType>;

/** The body of every error (docs/api.md#errors). */
export function renderError({ type, message }: ApiError, requestId: string): string {
  return JSON.stringify({ type: 'error', error: { type, message }, request_id: requestId });
}

export function overloadError(): ApiError {
  const message = 'overloaded: more requests than can be answered in time; try again';
  return new ApiError(503, message, { 'retry-after': SHED_RETRY_AFTER_SECONDS }, 'overloaded_error');
}

export function unavailable(what: string): ApiError {
  return new ApiError(503, `${what} just now; try again`, { 'retry-after': RETRY_AFTER_SECONDS });
}
