import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../shell/announce.ts';
import { isRefusedKey } from '../shell/session.ts';

/** The signal's reason after a click on Stop. */
export const STOPPED = Symbol('stopped');

interface Running {
  readonly what: string;
  readonly count: number;
}

type Job = (signal: AbortSignal, onProgress: (count: number) => void) => Promise<void>;

/** Runs one long job at a time. It can be stopped, and is aborted when the view is left. */
export function useLongWork(onKeyRefused: () => void) {
  const [running, setRunning] = useState<Running | null>(null);
  const [error, setError] = useState<unknown>(null);
  const controller = useRef<AbortController>(null);
  const restart = useRef<() => void>(null);

  const start = useCallback(
    async (what: string, job: Job) => {
      const own = new AbortController();
      const { signal } = own;
      controller.current = own;
      restart.current = () => start(what, job);
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
    again: () => restart.current?.(),
  };
}

/** The number of keys isn't known before the end, so the bar is indeterminate and the text counts. */
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
