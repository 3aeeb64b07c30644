/** The state of a view is in the address: reload, back, forward and shared links work. */
import { useEffect, useState } from 'preact/hooks';
import { type RosterQuery, textOf } from '../walk/query.ts';

const paths = { overview: './overview', roster: './', find: './find' } as const;

export type View = keyof typeof paths;

export const views = Object.keys(paths) as readonly View[];

export function viewOf({ pathname }: URL): View {
  return views.find(view => view !== 'roster' && pathname.endsWith(paths[view].slice(1))) ?? 'roster';
}

export function addressOf(view: View): string {
  return paths[view];
}

/** The roster with the keys of this query, and with the drawer of this key. */
export function rosterAddress(query: RosterQuery, openKey: string | null = null): string {
  return paths.roster + textOf(query, openKey);
}

const CHANGED = 'keyroster:address';

/** The entry of the history before this one, where `goTo` made this one; `null`: not known. */
let before: string | null = null;

export function goTo(address: string, { replace = false } = {}): void {
  if (!replace) before = location.href;
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  dispatchEvent(new Event(CHANGED));
}

/** Goes back where this address is the one before: so opening and closing something leaves no entries in the history. */
export function goBackTo(address: string): void {
  if (before === new URL(address, location.href).href) history.back();
  else goTo(address, { replace: true });
}

/** The current address; renders again when a link, back or forward changes it. */
export function useAddress(): URL {
  const [href, setHref] = useState(location.href);
  useEffect(() => {
    const update = ({ type }: Event) => {
      if (type === 'popstate') before = null;
      setHref(location.href);
    };
    for (const type of [CHANGED, 'popstate']) addEventListener(type, update);
    return () => {
      for (const type of [CHANGED, 'popstate']) removeEventListener(type, update);
    };
  }, []);
  return new URL(href);
}
