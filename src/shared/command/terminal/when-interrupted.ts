import { setImmediate, setTimeout } from 'node:timers/promises';
import { endOutput, lastWrite } from './print.ts';

/** How long a signal waits for a reader of the output that is slow. */
const MAX_WAIT_MS = 1_000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** What was begun and isn't done. */
const unfinished = new Set<(outputIsWhole: boolean) => void>();

/**
 * Does this before SIGINT or SIGTERM ends the process, as shells expect it to, or output that can't be written. Is told whether all
 * that was printed is written. Returns what takes it back.
 */
export function whenInterrupted(beforeEnd: (outputIsWhole: boolean) => void): () => void {
  if (unfinished.size === 0) for (const signal of SIGNALS) process.on(signal, end);
  unfinished.add(beforeEnd);
  return () => {
    unfinished.delete(beforeEnd);
    if (unfinished.size === 0) for (const signal of SIGNALS) process.off(signal, end);
  };
}

async function end(signal: NodeJS.Signals): Promise<void> {
  const isWhole = await Promise.race([lastWrite().then(() => true), setTimeout(MAX_WAIT_MS, false)]);
  await setImmediate(); // whoever waited for it knows of it now
  for (const each of SIGNALS) process.off(each, end);
  for (const beforeEnd of unfinished) beforeEnd(isWhole);
  endOutput();
  process.kill(process.pid, signal);
}

/** For output that can't be written. */
export function endUnfinished(): void {
  for (const beforeEnd of unfinished) beforeEnd(false);
  endOutput();
}
