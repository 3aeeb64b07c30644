import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * Gives the box of a table the class `scrolls` while the table is wider than the box. A box that needn't scroll doesn't: the head of a
 * table sticks to the nearest box that scrolls, and to the window only where there is none.
 */
export function useScrolls(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const box = ref.current;
    const table = box?.firstElementChild;
    if (!(box && table instanceof HTMLElement)) return;
    const update = () =>
      box.classList.toggle('scrolls', table.offsetWidth > box.offsetWidth - 2 * box.clientLeft);
    const observer = new ResizeObserver(update);
    observer.observe(box);
    observer.observe(table);
    update();
    return () => observer.disconnect();
  }, []);
}
