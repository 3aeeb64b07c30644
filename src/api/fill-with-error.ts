import { FilterNotServed, StoreBusy, StoreUnavailable } from '../roster/errors.ts';
import { filters } from '../roster/filters.ts';
import { type Answer, fillWithJson } from './answer.ts';
import type { ErrorLog } from './error-log.ts';
import { ApiError, renderError, unavailable } from './errors.ts';
import { overloadError } from './overload.ts';

/** Answers with a message that reveals nothing internal. The log has the cause, under the same request ID. */
export function fillWithError(answer: Answer, error: unknown, log: ErrorLog): void {
  const apiError = apiErrorOf(error);
  const request_id = answer.requestId;
  if (error instanceof StoreUnavailable) {
    const reason = error.message;
    log.repeated('error', reason, () => ({ request_id, reason }), 'store unavailable');
  } else if (apiError.thrown) {
    const { status, thrown } = apiError;
    const level = status === 401 ? 'warn' : 'error';
    log.repeated(level, `${status}`, () => ({ request_id, err: thrown() }), 'authenticate has thrown');
  } else if (apiError.status === 500) {
    log.failed({ request_id, err: error });
  }
  answer.status = apiError.status;
  Object.assign(answer.headers, apiError.headers);
  fillWithJson(answer, renderError(apiError, request_id));
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof FilterNotServed) return notServed(error);
  if (error instanceof StoreBusy) return overloadError();
  if (error instanceof StoreUnavailable) return unavailable('the roster cannot be read');
  return new ApiError(500, 'an internal error; the request_id finds it in the log');
}

function notServed(error: FilterNotServed): ApiError {
  const parameters = error.filters.map(name => filters[name].parameter);
  return new ApiError(400, `${parameters.join(', ')}: this service can't filter by it`);
}
