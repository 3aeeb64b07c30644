/** How soon a process that npm started notices that npm was told to stop. */
const PARENT_CHECK_MS = 200;

/**
 * Resolves when the process is asked to stop: also by the end of its terminal (SIGHUP), unless that signal has another meaning.
 * Asked once more, it ends at once, as any process does.
 */
export function stopSignal({ hangup = true } = {}): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', ...(hangup ? ['SIGHUP'] : [])];
  return new Promise(resolve => {
    const stop = () => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
    // npm starts its scripts through a shell that dies of a signal without passing it on.
    if (process.env.npm_lifecycle_event) {
      const parent = process.ppid;
      setInterval(() => process.ppid !== parent && resolve(), PARENT_CHECK_MS).unref();
    }
  });
}
