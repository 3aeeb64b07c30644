import {
  type ApiKeyPage,
  type KeyrosterClient,
  KeyrosterError,
  type ListParameters,
  type Retry,
} from '../../client/client.ts';
import { printError } from '../terminal/print.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { whenInterrupted } from '../terminal/when-interrupted.ts';
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

/** All pages of a query as they came. Tells of waits, and names the service, and the proxy where it may be why there is no page. */
export async function* waitedPages(
  client: KeyrosterClient,
  query: ListParameters,
  waits: Waits,
): AsyncGenerator<ApiKeyPage, void> {
  try {
    waits.begin();
    for await (const page of client.apiKeys.pages(query, { onRetry: waits.onRetry })) {
      waits.end();
      yield page;
      waits.begin();
    }
  } catch (error) {
    throw error instanceof KeyrosterError ? withAddressNamed(error) : error;
  } finally {
    waits.end();
  }
}

/** One page. Tells of waits. */
export async function readPage(client: KeyrosterClient, query: ListParameters): Promise<ApiKeyPage> {
  const waits = new Waits();
  const stopListening = whenInterrupted(() => waits.end());
  try {
    for await (const page of waitedPages(client, query, waits)) return page;
    throw new Error('a list has at least one page');
  } finally {
    stopListening();
  }
}
