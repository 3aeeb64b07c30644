import type { KeyrosterError } from './errors.ts';
import { refuseUnknown } from './invalid-option.ts';

export interface ListOptions {
  /** Aborts the request, or the walk, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each wait for a retry: to say why nothing comes, and for how long. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export interface Retry {
  /** Why the attempt failed. */
  readonly error: KeyrosterError;
  /** Until the next attempt, in milliseconds. */
  readonly waitMs: number;
}

const NAMES = Object.keys({ signal: true, onRetry: true } satisfies Record<keyof ListOptions, true>);

/** Throws an `InvalidOptionError`. */
export function checkListOptions(options: ListOptions): void {
  refuseUnknown(options, NAMES);
}
