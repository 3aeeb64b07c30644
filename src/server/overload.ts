import { ApiError } from './errors.ts';
import { MAX_WAIT_MS, SHED_RETRY_AFTER_SECONDS } from './limits.ts';

export function overloaded(): ApiError {
  const message = 'overloaded: more requests than can be answered in time; try again';
  return new ApiError(503, message, { 'retry-after': SHED_RETRY_AFTER_SECONDS }, 'overloaded_error');
}

interface Turn {
  readonly began: number;
  /** When its latest request came to be looked at. */
  latest: number;
  /** The longest time between two requests. */
  pause: number;
}

/** When a connection had its latest answer. On the socket itself, as a weak map is work for the garbage collector. */
const answeredAt = Symbol('answeredAt');

type Connection = object & { [answeredAt]?: number };

/**
 * Knows when the service has more to do than it can, by how long requests wait behind each other in one turn of the event
 * loop. Beyond that a request is refused at once, which costs far less than a page, so that the others stay fast. Those
 * that wait for the store are refused by the store.
 */
export class Overload {
  #turn: Turn | null = null;

  /** Throws the 503 when the request on this connection has waited too long. */
  refuseBeyondCapacity(connection: Connection): void {
    const now = performance.now();
    // Its client can't have sent it before it had the answer to the one before.
    const sinceAnswer = now - (connection[answeredAt] ?? Number.NEGATIVE_INFINITY);
    if (Math.min(sinceAnswer, this.#waited(now)) > MAX_WAIT_MS) throw overloaded();
  }

  /** An answer on this connection is sent. */
  answered(connection: Connection): void {
    connection[answeredAt] = performance.now();
  }

  /**
   * How long this request has waited behind others, at the most. All that are ready when the loop looks for them run
   * in one turn; an immediate marks its end. One pause is left out: where the whole process stood still, nothing has
   * queued up. Under many connections a turn can go on for seconds, as the loop takes what has come meanwhile.
   */
  #waited(now: number): number {
    if (!this.#turn) {
      setImmediate(() => {
        this.#turn = null;
      });
      this.#turn = { began: now, latest: now, pause: 0 };
    }
    const turn = this.#turn;
    turn.pause = Math.max(turn.pause, now - turn.latest);
    turn.latest = now;
    return now - turn.began - turn.pause;
  }
}
