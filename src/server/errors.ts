import type { ERROR_TYPES } from './schemas.ts';

export type ErrorType = (typeof ERROR_TYPES)[number];

/** An error for the caller to see. Its message names what was wrong, with what, and never repeats a value. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly type: ErrorType;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: keyof typeof types,
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

/** The one table from status to `error.type` (docs/api.md#errors); a 503 for want of capacity says so by itself. */
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

/** The one body that every error has. */
export function renderError({ type, message }: ApiError, requestId: string): string {
  return JSON.stringify({ type: 'error', error: { type, message }, request_id: requestId });
}
