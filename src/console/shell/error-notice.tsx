import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { KeyrosterError } from '../../client/client.ts';

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly retryLabel?: string;
  /** Further links or buttons. */
  readonly children?: ComponentChildren;
}

/** What went wrong, the request ID for the operator, and a button to try again. After a `retry-after` it tries again by itself. */
export function ErrorNotice({ error, onRetry, retryLabel = 'Try again', children }: ErrorNoticeProps) {
  const { requestId = null, retryAfterSeconds = null } = error instanceof KeyrosterError ? error : {};
  return (
    <div class="notice error">
      <div role="alert">
        <strong>{titleOf(error)}</strong>
        <p>{error instanceof Error ? error.message : String(error)}</p>
        {requestId && (
          <p>
            Request ID <code>{requestId}</code>
          </p>
        )}
      </div>
      <p class="row">
        <button type="button" onClick={() => onRetry()}>
          {retryLabel}
        </button>
        {children}
        {retryAfterSeconds !== null && (
          <Countdown key={requestId} seconds={retryAfterSeconds} onEnd={onRetry} />
        )}
      </p>
    </div>
  );
}

function titleOf(error: unknown): string {
  if (!(error instanceof KeyrosterError)) return 'Something went wrong in the console';
  switch (error.type) {
    case 'rate_limit_error':
      return 'Too many requests';
    case 'overloaded_error':
    case 'api_error':
      return error.status === 503 ? 'The service is not available just now' : 'The service has failed';
    case 'network_error':
    case 'timeout_error':
      return 'The service could not be reached';
    case 'invalid_request_error':
      return 'The service refused this request';
    default:
      return 'The request has failed';
  }
}

function Countdown({ seconds, onEnd }: { readonly seconds: number; readonly onEnd: () => void }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const end = Date.now() + seconds * 1000;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 250);
    return () => clearInterval(timer);
  }, [seconds]);
  useEffect(() => {
    if (left === 0) onEnd();
  }, [left === 0]);
  return <span class="muted">Tries again by itself in {left} s</span>;
}
