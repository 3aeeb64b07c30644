/** The address bar is the state of a view: what is shown can be reloaded, shared and gone back to. */
import { useEffect, useState } from 'preact/hooks';
import type { ListParameters } from '../client/client.ts';

export type View = 'roster' | 'overview';

/** The query parameters of the operation, as they stand in the address. */
export const PARAMETERS = [
  'status',
  'workspace_id',
  'created_by_user_id',
  'limit',
  'after_id',
  'before_id',
] as const;
export type Parameters = { readonly [Name in (typeof PARAMETERS)[number]]?: string };

const paths = { roster: './', overview: './overview' } as const;

export function viewOf({ pathname }: URL): View {
  return pathname.endsWith('/overview') ? 'overview' : 'roster';
}

export function parametersOf({ searchParams }: URL): Parameters {
  return Object.fromEntries([...searchParams].filter(([name]) => PARAMETERS.some(known => known === name)));
}

/** Nothing is checked here: the service does, and says what is wrong. */
export function listParametersOf({ limit, ...others }: Parameters): ListParameters {
  return { ...others, ...(limit !== undefined && { limit: Number(limit) }) } as ListParameters;
}

export function addressOf(view: View, parameters: Parameters = {}): string {
  const given = PARAMETERS.flatMap(name => {
    const value = parameters[name];
    return value ? [[name, value]] : [];
  });
  const query = new URLSearchParams(given).toString();
  return query ? `${paths[view]}?${query}` : paths[view];
}

const CHANGED = 'keyroster:address';

export function goTo(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  dispatchEvent(new Event(CHANGED));
}

/** Where the tab is, by its own links and by back and forward. */
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
