import { useEffect, useRef } from 'preact/hooks';
import type { LoadedPage } from '../walk/load-page.ts';
import { rowLinkId } from './api-key-row.tsx';

/**
 * Once the drawer of a key is closed, the key's row has the focus. Returns a function for a key that only the next list has: its row has
 * the focus when that is shown.
 */
export function useRowFocus(openKey: string | null, shown: LoadedPage | null): (id: string) => void {
  const wasOpen = useRef(openKey);
  const awaited = useRef<string | null>(null);
  useEffect(() => {
    if (openKey === null) focusRowOf(wasOpen.current);
    wasOpen.current = openKey;
  }, [openKey]);
  useEffect(() => {
    focusRowOf(awaited.current);
    awaited.current = null;
  }, [shown]);
  return id => {
    awaited.current = id;
  };
}

function focusRowOf(id: string | null): void {
  if (id !== null) document.getElementById(rowLinkId(id))?.focus();
}
