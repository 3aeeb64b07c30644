/** How long the page's own thread was blocked: a frame that comes late is one that a person sees frozen. */
import type { Page } from 'playwright-core';

export interface Blocked {
  /** Of the browser's own measure, which tells only of tasks of 50 ms and more. In milliseconds. */
  readonly longTasks: readonly number[];
  /** The longest time between two frames, in milliseconds. */
  readonly longestGap: number;
}

export async function watchMainThread(page: Page): Promise<void> {
  await page.evaluate(`
    globalThis.longTasks = [];
    new PerformanceObserver(list => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask' });
    globalThis.longestGap = 0;
    let last = performance.now();
    requestAnimationFrame(function frame(at) {
      longestGap = Math.max(longestGap, at - last);
      last = at;
      requestAnimationFrame(frame);
    });
  `);
}

export function blocked(page: Page): Promise<Blocked> {
  return page.evaluate('({ longTasks, longestGap })');
}

/** What the page's scripts hold, after a garbage collection, in bytes. */
export async function heapSize(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize + backingStorageSize;
}
