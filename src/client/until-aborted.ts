import type { KeyrosterError } from './errors.ts';

/** What the work gives, or this error when the signal is aborted first. Work that ignores the signal isn't waited for. */
export function untilAborted<Result>(
  signal: AbortSignal,
  work: Promise<Result>,
  error: () => KeyrosterError,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const end = () => reject(error());
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject);
  });
}
