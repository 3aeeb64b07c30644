import { FilterNotServed, StoreBusy, StoreUnavailable } from '../roster/errors.ts';
import { filters } from '../roster/filters.ts';
import { type Answer, fillWithJson } from './answer.ts';
import { ApiError, overloadError, renderError, unavailable } from './errors.ts';
import type { Log } from './log.ts';

/** While the store can't be read every request fails, each for the same reason: a line for each could fill the disk. */
const TOLD_EVERY_MS = 1_000;

/** The requests that failed for one reason since its last line. */
interface Untold {
  count: number;
  /** Makes the line of the latest. */
  line: () => object;
}

/** Tells the causes of failed requests, with the ID of the request. */
export class ErrorLog {
  readonly #log: Log;
  /** By the reason, for a second after each line. */
  readonly #untold = new Map<string, Untold>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** A fault of Keyroster: each has its line. */
  failed(line: object): void {
    this.#log.error(line, 'request failed');
  }

  /** Of one reason there is a line at once, then one a second, with the number of those that had none. */
  repeated(level: 'warn' | 'error', reason: string, line: () => object, message: string): void {
    if (!this.#log.isLevelEnabled(level)) return;
    const untold = this.#untold.get(reason);
    if (untold) {
      untold.count += 1;
      untold.line = line;
    } else this.#tell(level, reason, line, message);
  }

  #tell(level: 'warn' | 'error', reason: string, line: () => object, message: string): void {
    this.#log[level](line(), message);
    const untold: Untold = { count: 0, line };
    this.#untold.set(reason, untold);
    setTimeout(() => {
      this.#untold.delete(reason);
      const not_logged = untold.count - 1;
      if (not_logged >= 0)
        this.#tell(
          level,
          reason,
          () => ({ ...untold.line(), ...(not_logged > 0 && { not_logged }) }),
          message,
        );
    }, TOLD_EVERY_MS).unref();
  }
}

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
