import { Refused } from '../../shared/record/faults.ts';

/** What a writer of a store does: its `close` first lets all end that was asked for before, also what still waits. */
export class WorkUntilClose {
  readonly #underWay = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  /** Throws `Refused` after `close`. */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#closing) throw new Refused('database: the store is closed');
    const done = (async () => work())();
    this.#underWay.add(done);
    try {
      return await done;
    } finally {
      this.#underWay.delete(done);
    }
  }

  /** Another call waits for the first, and does nothing. */
  close(end: () => void | Promise<void>): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#underWay).then(end);
    return this.#closing;
  }
}
