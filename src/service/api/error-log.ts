import { filters } from '../../shared/record/filters.ts';
import { FilterNotServed, StoreBusy, StoreUnavailable } from '../roster/errors.ts';
import { type Answer, fillWithJson } from './answer.ts';
import { ApiError, overloadError, renderError, unavailable } from './errors.ts';
import { plainError } from './foreign-errors.ts';
import type { Log } from './log.ts';

/** While the store can't be read every request fails, each for the same reason: a line for each could fill the disk. */
const TOLD_EVERY_MS = 1_000;

/** Answers requests that failed, and tells why in the log, with the ID of the request. */
export class ErrorLog {
  readonly #log: Log;
  /** The reasons that had a line within the last second. */
  readonly #told = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Answers with a message that reveals nothing internal. The log has the cause: a fault of Keyroster has its line each time. */
  fill(answer: Answer, error: unknown): void {
    const apiError = apiErrorOf(error);
    const { status, thrown } = apiError;
    const request_id = answer.requestId;
    if (error instanceof StoreUnavailable) {
      const reason = plainError(error).message;
      this.repeated('error', reason, () => ({ request_id, reason }), 'store unavailable');
    } else if (thrown) {
      const level = status === 401 ? 'warn' : 'error';
      this.repeated(level, `${status}`, () => ({ request_id, err: thrown() }), 'authenticate has thrown');
    } else if (status === 500) {
      this.#log.error('request failed', { request_id, err: error });
    }
    answer.status = status;
    Object.assign(answer.headers, apiError.headers);
    fillWithJson(answer, renderError(apiError, request_id));
  }

  /** Of one reason there is a line a second. */
  repeated(level: 'warn' | 'error', reason: string, line: () => object, message: string): void {
    if (this.#told.has(reason) || !this.#log.isEnabled(level)) return;
    this.#told.add(reason);
    setTimeout(() => this.#told.delete(reason), TOLD_EVERY_MS).unref();
    this.#log[level](message, line());
  }
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
