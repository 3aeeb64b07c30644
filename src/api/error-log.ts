import type { Log } from './log.ts';

/** While the store can't be read every request fails, each for the same reason: a line for each could fill the disk. */
const TOLD_AGAIN_AFTER_MS = 1_000;
/** Further ones forget the others. */
const MAX_REASONS = 100;

/** Tells the causes of failed requests, with the ID of the request. */
export class ErrorLog {
  readonly #log: Log;
  readonly #told = new Map<string, { readonly at: number; notLogged: number }>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** A fault of Keyroster: each has its line. */
  failed(line: object): void {
    this.#log.error(line, 'request failed');
  }

  /** Of one reason there is a line a second, with the number of those that had none. */
  unavailable(reason: string, line: object, message: string): void {
    const now = performance.now();
    const last = this.#told.get(reason);
    if (last && now - last.at < TOLD_AGAIN_AFTER_MS) {
      last.notLogged += 1;
      return;
    }
    if (this.#told.size >= MAX_REASONS) this.#told.clear();
    this.#told.set(reason, { at: now, notLogged: 0 });
    const left = last && last.notLogged > 0 ? { not_logged: last.notLogged } : {};
    this.#log.error({ ...line, ...left }, message);
  }
}
