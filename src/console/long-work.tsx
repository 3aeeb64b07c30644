import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { announce } from './announce.ts';
import { isRefusedKey } from './session.ts';

/** The reason of a signal when someone pressed Stop. */
export const STOPPED = Symbol('stopped');

interface Running {
  readonly what: string;
  readonly count: number;
}

type Job = (signal: AbortSignal, onProgress: (count: number) => void) => Promise<void>;

/** One long job at a time. It can be stopped, and leaving the view ends it. */
export function useLongWork(onKeyRefused: () => void) {
  const [running, setRunning] = useState<Running | null>(null);
  const [error, setError] = useState<unknown>(null);
  const controller = useRef<AbortController>(null);
  const latest = useRef<() => void>(null);

  const start = useCallback(
    async (what: string, job: Job) => {
      const own = new AbortController();
      const { signal } = own;
      controller.current = own;
      latest.current = () => start(what, job);
      setError(null);
      setRunning({ what, count: 0 });
      try {
        await job(signal, count => setRunning({ what, count }));
        announce(`${what}: done`);
      } catch (failure) {
        if (isRefusedKey(failure)) onKeyRefused();
        else if (!signal.aborted) setError(failure);
      } finally {
        setRunning(null);
      }
    },
    [onKeyRefused],
  );
  useEffect(() => () => controller.current?.abort(), []);
  return {
    running,
    error,
    start,
    stop: () => controller.current?.abort(STOPPED),
    again: () => latest.current?.(),
  };
}

/** How many keys there are isn't known before the end: the bar says that it goes on, the number how far it is. */
export function Progress({ what, count, onStop }: Running & { readonly onStop: () => void }) {
  return (
    <div class="notice row">
      <label>
        {what}: <output>{count.toLocaleString('en')} keys</output> <progress />
      </label>
      <button type="button" onClick={onStop}>
        Stop
      </button>
    </div>
  );
}
