import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { focusContent } from './keep-focus.ts';

/** How long after the last movement the position is kept with the entry of the history. Browsers limit how often. */
const SETTLED_MS = 150;
/** How long a position waits for a page that is long enough for it. */
const RESTORED_WITHIN_MS = 10_000;

/**
 * Another list begins at its top, as a page that is loaded would. Back and forward show it where it was left. The browser
 * can't do that by itself, since the list comes later than the address.
 */
export function useScroll(address: URL): void {
  const list = listOf(address);
  const shown = useRef(list);
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    history.scrollRestoration = 'manual';
    const keep = () => {
      clearTimeout(settling.current);
      settling.current = setTimeout(() => history.replaceState({ top: scrollY }, ''), SETTLED_MS);
    };
    addEventListener('scroll', keep);
    return () => {
      clearTimeout(settling.current);
      removeEventListener('scroll', keep);
      history.scrollRestoration = 'auto';
    };
  }, []);

  useLayoutEffect(() => {
    if (shown.current === list) return;
    shown.current = list;
    clearTimeout(settling.current);
    const top: unknown = history.state?.top;
    if (typeof top === 'number') return scrollWhenLongEnough(top);
    scrollTo({ top: 0 });
    // The link may be gone with its row, or be in another place of the next list.
    if (document.activeElement?.matches('main a')) focusContent();
  }, [list]);
}

/** The address without the key whose drawer is open: what the page lists. */
function listOf({ pathname, search, hash }: URL): string {
  const local = new URLSearchParams(hash.slice(1));
  local.delete('key');
  return `${pathname}${search}#${local}`;
}

/** Returns what ends the attempts; so does a person who scrolls. */
function scrollWhenLongEnough(top: number): () => void {
  const observer = new ResizeObserver(() => {
    scrollTo({ top });
    if (Math.abs(scrollY - top) < 1) end();
  });
  const timer = setTimeout(() => end(), RESTORED_WITHIN_MS);
  const end = () => {
    clearTimeout(timer);
    observer.disconnect();
    for (const type of ['wheel', 'touchstart', 'keydown']) removeEventListener(type, end);
  };
  for (const type of ['wheel', 'touchstart', 'keydown']) addEventListener(type, end);
  observer.observe(document.body);
  return end;
}
