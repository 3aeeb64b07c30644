import { setTimeout } from 'node:timers/promises';

/** The lines of a transaction: few enough that it is short, and other writers get their turn. */
const MAX_LINES = 1_000;
/**
 * A batch is taken this long after the one before, so that a commit is for many lines: it costs about as much as for one. But a
 * line waits for others at least so long, as those that came during a long commit have to be read.
 */
const WAIT_MS = { afterTaken: 100, atLeast: 50 };
const DUE = Symbol('due');

/** Joins what comes soon after each other, and reads on only when a batch has been taken. */
export async function* batchesOf<T>(source: AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[]> {
  const chunks = source[Symbol.asyncIterator]();
  const read = () => {
    const next = chunks.next();
    next.catch(() => {}); // it may fail while a batch is written, and is awaited after that
    return next;
  };
  let next = read();
  let lines: T[] = [];
  let due: Promise<typeof DUE> | undefined;
  let takenAt = Number.NEGATIVE_INFINITY;
  const taken = (batch: T[]) => {
    takenAt = performance.now();
    return batch;
  };
  for (;;) {
    const came = await (due ? Promise.race([next, due]) : next).catch((error: unknown) => ({ error }));
    if (came !== DUE && 'error' in came) {
      if (lines.length > 0) yield taken(lines); // nothing may have them any more
      throw came.error;
    }
    if (came !== DUE && !came.done) {
      lines = lines.concat(came.value);
      next = read();
      while (lines.length >= MAX_LINES) {
        yield taken(lines.splice(0, MAX_LINES));
        due = undefined; // the rest waits anew, or it would be a batch of few lines
      }
      if (lines.length > 0) due ??= setTimeout(waitSince(takenAt), DUE, { ref: false });
      continue;
    }
    if (lines.length > 0) yield taken(lines);
    if (came !== DUE) return;
    lines = [];
    due = undefined;
  }
}

function waitSince(takenAt: number): number {
  return Math.max(takenAt + WAIT_MS.afterTaken - performance.now(), WAIT_MS.atLeast);
}
