import type { ErrorAnswer } from './openapi.ts';
import type { ListParameters } from './parameters.ts';

/** What a service answers in `error.type` (docs/api.md#errors). */
export type ServiceErrorType = ErrorAnswer['error']['type'];

/**
 * What the client finds itself: no answer, no answer in time, a certificate or an `adminKey` function that it can't use, or an
 * answer that docs/api.md doesn't allow.
 */
type ClientErrorType =
  | 'network_error'
  | 'timeout_error'
  | 'certificate_error'
  | 'admin_key_error'
  | 'unexpected_answer_error';

export type KeyrosterErrorType = ServiceErrorType | ClientErrorType;

interface KeyrosterErrorFields {
  readonly type: KeyrosterErrorType;
  readonly message: string;
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly code?: string | null;
  readonly resume?: ListParameters | null;
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
  /** The runtime's code of the failure, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`; `null` when it gave none. */
  readonly code: string | null;
  /**
   * The parameters of the page that failed. `list` or `pages` with them goes on where the walk ended: every page before this
   * one was given out. `null` when they contain an admin key that was sent.
   */
  readonly resume: ListParameters | null;

  constructor({ type, message, ...more }: KeyrosterErrorFields) {
    super(message);
    this.type = type;
    this.status = more.status ?? null;
    this.requestId = more.requestId ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
    this.code = more.code ?? null;
    this.resume = more.resume ?? null;
  }

  toJSON() {
    const { name, type, message, status, requestId, retryAfterSeconds, code, resume } = this;
    return { name, type, message, status, requestId, retryAfterSeconds, code, resume };
  }
}
