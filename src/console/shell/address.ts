/** The state of a view is in the address: reload, back, forward and shared links work. */
import { useEffect, useState } from 'preact/hooks';
import { queryOf, type RosterQuery, textOf } from '../walk/query.ts';

/** In the order of the header. */
export const views = {
  worklist: { path: './', title: 'Worklist' },
  roster: { path: './roster', title: 'Roster' },
  find: { path: './find', title: 'Find' },
} as const;

export type View = keyof typeof views;

/** Without a view it is the worklist, or the roster of a link with filters: an older console had it there. */
export function viewOf({ pathname, search, hash }: URL): View {
  const named = (['roster', 'find'] as const).find(view => pathname.endsWith(views[view].path.slice(1)));
  return named ?? (search || hash ? 'roster' : 'worklist');
}

/** The roster with the keys of this query, and with the drawer of this key. */
export function rosterAddress(query: RosterQuery, openKey: string | null = null): string {
  return views.roster.path + textOf(query, openKey);
}

const CHANGED = 'keyroster:address';

/** Another list begins at its top, as a page that is loaded would. Back and forward are left to the browser. */
export function goTo(address: string, { replace = false } = {}): void {
  const list = listOf(location.href);
  if (replace) history.replaceState(history.state, '', address);
  else history.pushState(location.href, '', address); // its state is the address before it
  dispatchEvent(new Event(CHANGED));
  if (!replace && listOf(location.href) !== list) scrollTo({ top: 0 });
}

/** The address without the key whose drawer is open. */
function listOf(href: string): string {
  const url = new URL(href);
  return url.pathname + textOf(queryOf(url));
}

/** Goes back where this address is the one before: so opening and closing something leaves no entries in the history. */
export function goBackTo(address: string): void {
  if (history.state === new URL(address, location.href).href) history.back();
  else goTo(address, { replace: true });
}

/** The current address; renders again when a link, back or forward changes it. */
export function useAddress(): URL {
  const [href, setHref] = useState(location.href);
  useEffect(() => {
    const update = () => setHref(location.href);
    for (const type of [CHANGED, 'popstate']) addEventListener(type, update);
    return () => {
      for (const type of [CHANGED, 'popstate']) removeEventListener(type, update);
    };
  }, []);
  return new URL(href);
}
