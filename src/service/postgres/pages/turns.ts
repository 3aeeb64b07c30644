import { StoreBusy } from '../../roster/errors.ts';

interface Waiting<T> {
  readonly resolve: (thing: T) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Things of which each is used by one at a time. Who finds none waits in turn, with a timer each: one for all saves a thousandth. */
export class Turns<T> {
  readonly #free: T[];
  /** Who came first is the first. */
  readonly #waiting = new Set<Waiting<T>>();

  constructor(free: T[] = []) {
    this.#free = free;
  }

  get free(): number {
    return this.#free.length;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * What was given back last, so that no more of them are in use than are needed. Throws `StoreBusy`.
   * @param until when to give up, by `performance.now()`.
   */
  take(until: number): T | Promise<T> {
    const last = this.#free.pop();
    if (last !== undefined) return last;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const giveUp = () => {
      if (this.#waiting.delete(waiting)) reject(new StoreBusy());
    };
    // After a timer Node hasn't read yet what arrived while it was busy. By the next `setImmediate` it has.
    const timer = setTimeout(() => setImmediate(giveUp), Math.max(0, until - performance.now()));
    const waiting = { resolve, reject, timer };
    this.#waiting.add(waiting);
    return promise;
  }

  give(thing: T): void {
    const next = this.#next();
    if (next) next.resolve(thing);
    else this.#free.push(thing);
  }

  /** All that nobody uses. */
  takeFree(): T[] {
    return this.#free.splice(0);
  }

  /** Something that nobody uses, and that nobody can use any more. */
  remove(thing: T): void {
    const index = this.#free.indexOf(thing);
    if (index !== -1) this.#free.splice(index, 1);
  }

  refuseWaiting(error: Error): void {
    for (let next = this.#next(); next; next = this.#next()) next.reject(error);
  }

  #next(): Waiting<T> | undefined {
    const [next] = this.#waiting;
    if (!next) return undefined;
    clearTimeout(next.timer);
    this.#waiting.delete(next);
    return next;
  }
}
