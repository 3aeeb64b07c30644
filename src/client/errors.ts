import type { ErrorAnswer } from './openapi.ts';

/** What a service of the contract says in `error.type`. */
export type AnsweredErrorType = ErrorAnswer['error']['type'];

/** What the client finds by itself: no answer, none in time, or one that the contract doesn't know. */
export type FoundErrorType = 'network_error' | 'timeout_error' | 'unexpected_answer_error';

export type KeyrosterErrorType = AnsweredErrorType | FoundErrorType;

interface Details {
  readonly type: KeyrosterErrorType;
  readonly message: string;
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
}

/**
 * Why there is no page. It has no `cause`: what another layer throws may hold anything, and the admin key must not
 * get out by way of an error.
 */
export class KeyrosterError extends Error {
  override readonly name = 'KeyrosterError';
  readonly type: KeyrosterErrorType;
  /** The HTTP status; `null` when there was no answer. */
  readonly status: number | null;
  /** Finds the request in the operator's log; `null` when the service named none. */
  readonly requestId: string | null;
  /** What the service asked for by `retry-after`. */
  readonly retryAfterSeconds: number | null;

  constructor({ type, message, status = null, requestId = null, retryAfterSeconds = null }: Details) {
    super(message);
    this.type = type;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  toJSON() {
    const { name, type, message, status, requestId, retryAfterSeconds } = this;
    return { name, type, message, status, requestId, retryAfterSeconds };
  }
}
