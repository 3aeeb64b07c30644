import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { KeyrosterError } from '../../client/client.ts';
import { CannotFilter } from '../walk/cannot-filter.ts';

/** A service that says "retry after 0 s" isn't asked in a tight loop. */
const MIN_SECONDS = 1;

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly retryLabel?: string;
  /** Another answer is awaited. */
  readonly loading?: boolean;
  /** Further links or buttons. */
  readonly children?: ComponentChildren;
}

/** What went wrong, the request ID for the operator, and a button to try again. After a `retry-after` it tries again by itself. */
export function ErrorNotice({
  error,
  onRetry,
  retryLabel = 'Try again',
  loading = false,
  children,
}: ErrorNoticeProps) {
  const { requestId = null, retryAfterSeconds = null } = error instanceof KeyrosterError ? error : {};
  return (
    <div class="notice error" aria-busy={loading}>
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
        {!isFinal(error) && (
          <button type="button" onClick={() => onRetry()}>
            {retryLabel}
          </button>
        )}
        {children}
        {retryAfterSeconds !== null && (
          // Another error starts it anew, even one with the same number of seconds.
          <Countdown key={error} seconds={Math.max(MIN_SECONDS, retryAfterSeconds)} onEnd={onRetry} />
        )}
      </p>
    </div>
  );
}

/** Whether the same request can only end in the same way. */
export function isFinal(error: unknown): error is Error {
  const isRefused = error instanceof KeyrosterError && error.type === 'invalid_request_error';
  return isRefused || error instanceof CannotFilter;
}

const REFUSED = 'The request has failed';

/** Of the types that this release knows. A newer service may answer others. */
const titles = {
  authentication_error: REFUSED,
  not_found_error: REFUSED,
  certificate_error: REFUSED,
  admin_key_error: REFUSED,
  rate_limit_error: 'Too many requests',
  overloaded_error: 'The service has failed',
  api_error: 'The service has failed',
  network_error: 'The service could not be reached',
  timeout_error: 'The service did not answer in time',
  invalid_request_error: 'The service refused this request',
  unexpected_answer_error: 'The answer of the service can not be shown',
} as const satisfies Record<KeyrosterError['type'], string>;

/** What has gone wrong, in a few words. */
export function titleOf(error: unknown): string {
  if (error instanceof CannotFilter) return "The list can't be filtered like this";
  if (!(error instanceof KeyrosterError)) return 'Something went wrong in the console';
  if (error.status === 503) return 'The service is not available just now';
  return titles[error.type] ?? REFUSED;
}

interface CountdownProps {
  /** When it begins. */
  readonly seconds: number;
  readonly onEnd?: () => void;
}

/** When something is tried again by itself. By `performance.now()`: a clock may be set. */
export function Countdown({ seconds, onEnd }: CountdownProps) {
  const [now, setNow] = useState(() => performance.now());
  const [end] = useState(now + seconds * 1000);
  const left = Math.max(0, Math.ceil((end - now) / 1000));
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (left === 0) onEnd?.();
  }, [left]);
  return <span>{left > 0 ? `Tries again in ${left} s.` : 'Tries again now.'}</span>;
}
