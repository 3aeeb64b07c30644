import type { KeyrosterError, Retry } from '../../client/client.ts';
import { printError } from '../terminal/print.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { withAddressNamed } from './proxy.ts';

/** An answer that takes no longer needs no explanation. */
const QUIET_MS = 3_000;
/** Outside a terminal a shorter wait isn't worth a line. */
const MIN_TOLD_MS = 1_000;
const REDRAWN_EACH_MS = 200;

/** Tells on standard error why nothing comes: in the place of the progress bar with a countdown, or else a line for each wait. */
export class Waits {
  readonly #bar: ProgressBar;
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(bar = new ProgressBar()) {
    this.#bar = bar;
  }

  /** A request is sent. */
  begin(): void {
    const start = performance.now();
    this.#show(() => {
      const ms = performance.now() - start;
      return ms < QUIET_MS ? undefined : `waiting for an answer for ${Math.floor(ms / 1000)} s`;
    });
  }

  /** For the client. */
  readonly onRetry = ({ error, waitMs }: Retry): void => {
    const text = (ms: number) =>
      `${reasonOf(error)}, ${ms >= MIN_TOLD_MS ? `continuing in ${Math.ceil(ms / 1000)} s` : 'trying again'}`;
    const isTold = waitMs >= MIN_TOLD_MS || error.type === 'timeout_error';
    if (!this.#bar.isVisible && isTold) printError(text(waitMs));
    const until = performance.now() + waitMs;
    this.#show(() => text(until - performance.now()));
  };

  /** An answer is there, or none will come. */
  end(): void {
    clearInterval(this.#timer);
    if (this.#isShown) this.#bar.clear();
    this.#isShown = false;
  }

  #show(text: () => string | undefined): void {
    clearInterval(this.#timer);
    if (!this.#bar.isVisible) return;
    const show = () => {
      const now = text();
      if (now === undefined) return;
      this.#isShown = true;
      this.#bar.note(now);
    };
    show();
    this.#timer = setInterval(show, REDRAWN_EACH_MS).unref();
  }
}

function reasonOf(error: KeyrosterError): string {
  if (error.type === 'rate_limit_error') return 'rate limited';
  return error.type === 'overloaded_error' ? 'the service is busy' : withAddressNamed(error).message;
}
