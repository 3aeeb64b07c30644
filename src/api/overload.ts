import { ApiError } from './errors.ts';
import { MAX_WAIT_MS, SHED_RETRY_AFTER_SECONDS } from './limits.ts';

export function overloadError(): ApiError {
  const message = 'overloaded: more requests than can be answered in time; try again';
  return new ApiError(503, message, { 'retry-after': SHED_RETRY_AFTER_SECONDS }, 'overloaded_error');
}

interface Turn {
  readonly began: number;
  /** When its latest request was handled. */
  latest: number;
  /** The longest time between two requests. */
  longestPause: number;
}

/** When a connection got its latest answer. A property of the socket, because a `WeakMap` would slow garbage collection down. */
const answeredAt = Symbol('answeredAt');

type Connection = object & { [answeredAt]?: number };

/**
 * Sheds load. It estimates how long a request has waited behind others in one turn of the event loop, and refuses it when that
 * is too long. A refusal costs far less than a page, so the other requests stay fast. The stores limit the wait for their
 * reads themselves.
 */
export class Overload {
  #turn: Turn | null = null;

  /** Throws a 503 when the request on this connection has waited too long. */
  refuseBeyondCapacity(connection: Connection): void {
    const now = performance.now();
    // The request can't have waited longer: its client sent it after the previous answer.
    const sinceAnswer = now - (connection[answeredAt] ?? Number.NEGATIVE_INFINITY);
    if (Math.min(sinceAnswer, this.#waited(now)) > MAX_WAIT_MS) throw overloadError();
  }

  /** Call when an answer was sent on this connection. */
  answered(connection: Connection): void {
    connection[answeredAt] = performance.now();
  }

  /**
   * The longest that this request can have waited behind others: since the turn began. All requests that are ready run in one
   * turn, whose end an immediate marks. With many connections a turn can last for seconds, as the loop also takes those that
   * arrive meanwhile. The longest pause is subtracted: while the whole process was suspended, no queue built up.
   */
  #waited(now: number): number {
    if (!this.#turn) {
      setImmediate(() => {
        this.#turn = null;
      });
      this.#turn = { began: now, latest: now, longestPause: 0 };
    }
    const turn = this.#turn;
    turn.longestPause = Math.max(turn.longestPause, now - turn.latest);
    turn.latest = now;
    return now - turn.began - turn.longestPause;
  }
}
