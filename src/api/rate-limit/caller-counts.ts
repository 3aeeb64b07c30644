import { RATE_WINDOW_SECONDS } from '../limits.ts';
import { CallerWindows } from './caller-windows.ts';

/** A part of a caller's quota. */
export interface Taken {
  /** Requests; 0: none were left. */
  readonly granted: number;
  /** What is left of the quota after that. */
  readonly left: number;
  /** Until the caller's window ends. */
  readonly msLeft: number;
}

/** How much each caller has used of a quota, in a fixed window that begins with the caller's first request. */
export class CallerCounts {
  readonly #quota: number;
  readonly #windows = new CallerWindows<{ used: number; readonly endsAt: number }>();

  /** The quota: requests in a window. */
  constructor(quota: number) {
    this.#quota = quota;
  }

  /** Takes as many requests as the caller has left, up to `max`. */
  take(caller: string, max = 1): Taken {
    const now = performance.now();
    const window =
      this.#windows.current(caller, now) ??
      this.#windows.begin(caller, now, { used: 0, endsAt: now + RATE_WINDOW_SECONDS * 1000 });
    const granted = Math.min(max, this.#quota - window.used);
    window.used += granted;
    return { granted, left: this.#quota - window.used, msLeft: window.endsAt - now };
  }
}
