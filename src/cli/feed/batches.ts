import { setTimeout } from 'node:timers/promises';

/** The lines of a transaction: few enough that it is short, and other writers get their turn. */
const MAX_LINES = 1_000;
/** How long a line waits for others. A commit costs about as much for many lines as for one. */
const MAX_WAIT_MS = 100;
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
  for (;;) {
    const came = await (due ? Promise.race([next, due]) : next);
    if (came !== DUE && !came.done) {
      lines = lines.concat(came.value);
      next = read();
      while (lines.length >= MAX_LINES) yield lines.splice(0, MAX_LINES);
      if (lines.length > 0) due ??= setTimeout(MAX_WAIT_MS, DUE, { ref: false });
      else due = undefined;
      continue;
    }
    if (lines.length > 0) yield lines;
    if (came !== DUE) return;
    lines = [];
    due = undefined;
  }
}
