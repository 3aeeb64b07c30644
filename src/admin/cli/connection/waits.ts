import { type ApiKeyPage, KeyrosterError, type ListParameters, type Retry } from '../../../client/client.ts';
import { EXIT_CODES } from '../../../shared/command/exit-codes.ts';
import { printAtEnd, printError } from '../../../shared/command/terminal/print.ts';
import { ProgressBar } from '../../../shared/command/terminal/progress-bar.ts';
import { whenInterrupted } from '../../../shared/command/terminal/when-interrupted.ts';
import type { Service } from './connect.ts';
import { type Route, withAddressNamed } from './proxy.ts';

/** An answer that takes no longer needs no explanation. */
const QUIET_MS = 3_000;
/** Outside a terminal a shorter wait isn't worth a line. */
const MIN_TOLD_MS = 1_000;

/** Tells on standard error why nothing comes: in the place of the progress bar, or else a line for each wait. */
export class Waits {
  readonly #route: Route;
  readonly #bar: ProgressBar;
  readonly #maxMs: number | undefined;
  readonly #givenUp = new AbortController();
  #begunAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  /** @param maxMs how long to wait for an answer, by retries without a word; otherwise the client says when to give up. */
  constructor(route: Route, bar = new ProgressBar(), maxMs?: number) {
    this.#route = route;
    this.#bar = bar;
    this.#maxMs = maxMs;
  }

  /** For the client, too. */
  get signal(): AbortSignal {
    return this.#givenUp.signal;
  }

  /** A request is sent. */
  begin(): void {
    this.#begunAt = performance.now();
    this.#timer = setTimeout(() => this.#show('waiting for an answer'), QUIET_MS).unref();
  }

  /** For the client. */
  readonly onRetry = ({ error, waitMs }: Retry): void => {
    clearTimeout(this.#timer);
    const endsAfterMs = performance.now() - this.#begunAt + waitMs;
    if (endsAfterMs > (this.#maxMs ?? Infinity)) this.#givenUp.abort(error);
    const isLong = waitMs >= MIN_TOLD_MS;
    const until = isLong ? `continuing in ${Math.ceil(waitMs / 1000)} s` : 'trying again';
    const text = `${reasonOf(error, this.#route)}, ${until}`;
    if (this.#bar.isVisible) this.#show(text);
    else if (this.#maxMs === undefined && (isLong || error.type === 'timeout_error')) printError(text);
  };

  /** An answer is there, or none will come. */
  end(): void {
    clearTimeout(this.#timer);
    if (this.#isShown) this.#bar.clear();
    this.#isShown = false;
  }

  #show(text: string): void {
    this.#isShown = true;
    this.#bar.note(text);
  }
}

function reasonOf(error: KeyrosterError, route: Route): string {
  if (error.type === 'rate_limit_error') return 'rate limited';
  return error.type === 'overloaded_error' ? 'the service is busy' : withAddressNamed(error, route).message;
}

/** All pages of a query as they came. Tells of waits, and names the service, and the proxy where it may be why there is no page. */
export async function* waitedPages(
  service: Service,
  query: ListParameters,
  waits: Waits,
): AsyncGenerator<ApiKeyPage, void> {
  try {
    waits.begin();
    const options = { onRetry: waits.onRetry, signal: waits.signal };
    for await (const page of service.client.apiKeys.pages(query, options)) {
      waits.end();
      tellFilters(page, service);
      yield page;
      waits.begin();
    }
  } catch (error) {
    throw error instanceof KeyrosterError ? withAddressNamed(error, service) : error;
  } finally {
    waits.end();
  }
}

/** Of several services whose line it is. */
export const prefixOf = ({ profile }: Pick<Service, 'profile'>) => (profile ? `${profile}: ` : '');

/** Once for all pages: `printAtEnd` tells no line twice. */
function tellFilters({ appliedHere, untold }: ApiKeyPage, service: Service): void {
  for (const name of appliedHere)
    printAtEnd(`${prefixOf(service)}the service doesn't filter by ${name}: keys are filtered here`);
  for (const name of untold) tellUntold(name, service);
}

/** Before anything is printed, whose reader may leave. */
export function tellUntold(filter: string, service: Pick<Service, 'profile'> = {}): void {
  process.exitCode ||= EXIT_CODES.unsure;
  printAtEnd(
    `${prefixOf(service)}of some keys that are listed it can't be told whether they pass ${filter}: they don't say`,
  );
}

/** One page. Tells of waits. */
export async function readPage(service: Service, query: ListParameters): Promise<ApiKeyPage> {
  const waits = new Waits(service);
  const stopListening = whenInterrupted(() => waits.end());
  try {
    for await (const page of waitedPages(service, query, waits)) return page;
    throw new Error('a list has at least one page');
  } finally {
    stopListening();
  }
}
