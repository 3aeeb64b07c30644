import type { ErrorAnswer } from './openapi.ts';

/** What a service answers in `error.type` (docs/api.md#errors). */
export type ServiceErrorType = ErrorAnswer['error']['type'];

/** What the client finds itself: no answer, no answer in time, or one that docs/api.md doesn't allow. */
type ClientErrorType = 'network_error' | 'timeout_error' | 'unexpected_answer_error';

export type KeyrosterErrorType = ServiceErrorType | ClientErrorType;

interface KeyrosterErrorFields {
  readonly type: KeyrosterErrorType;
  readonly message: string;
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
}

/** Why there is no page. It has no `cause`: an error of the runtime may contain the admin key. */
export class KeyrosterError extends Error {
  override readonly name = 'KeyrosterError';
  readonly type: KeyrosterErrorType;
  /** The HTTP status; `null` when there was no answer. */
  readonly status: number | null;
  /** Finds the request in the operator's log; `null` when the service named none. */
  readonly requestId: string | null;
  /** From the answer's `retry-after`; `null` when there was none. */
  readonly retryAfterSeconds: number | null;

  constructor({
    type,
    message,
    status = null,
    requestId = null,
    retryAfterSeconds = null,
  }: KeyrosterErrorFields) {
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
