import { setImmediate, setTimeout } from 'node:timers/promises';
import { endOutput, lastWrite } from './print.ts';

/** How long a signal waits for a reader of the output that is slow. */
const MAX_WAIT_MS = 1_000;

/** What was begun and isn't done. */
const unfinished = new Set<(outputIsWhole: boolean) => void>();

/**
 * Does this before SIGINT or SIGTERM ends the process, as shells expect it to, or output that can't be written. Is told whether all
 * that was printed is written. Returns what takes it back.
 */
export function whenInterrupted(beforeEnd: (outputIsWhole: boolean) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const stopListening = () => {
    unfinished.delete(beforeEnd);
    for (const signal of signals) process.off(signal, end);
  };
  const end = async (signal: NodeJS.Signals) => {
    const isWhole = await Promise.race([lastWrite().then(() => true), setTimeout(MAX_WAIT_MS, false)]);
    await setImmediate(); // whoever waited for it knows of it now
    stopListening();
    beforeEnd(isWhole);
    endOutput();
    process.kill(process.pid, signal);
  };
  unfinished.add(beforeEnd);
  for (const signal of signals) process.on(signal, end);
  return stopListening;
}

/** For output that can't be written. */
export function endUnfinished(): void {
  for (const beforeEnd of unfinished) beforeEnd(false);
  endOutput();
}
