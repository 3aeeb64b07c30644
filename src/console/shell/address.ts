/** The state of a view is in the address: reload, back, forward and shared links work. */
import { useEffect, useState } from 'preact/hooks';
import type { ListParameters } from '../../client/client.ts';

export type View = 'roster' | 'overview';

/** The parameters of the operation, in their order in the address. One that is missing doesn't compile. */
const parameterNames = Object.keys({
  status: true,
  workspace_id: true,
  created_by_user_id: true,
  limit: true,
  after_id: true,
  before_id: true,
} satisfies Record<keyof ListParameters, true>) as readonly (keyof ListParameters)[];

export type CursorName = 'after_id' | 'before_id';

/** Parameters as the address has them: as text. */
export type AddressParameters = { readonly [Name in keyof ListParameters]?: string };

const paths = { roster: './', overview: './overview' } as const;

export function viewOf({ pathname }: URL): View {
  return pathname.endsWith('/overview') ? 'overview' : 'roster';
}

export function parametersOf({ searchParams }: URL): AddressParameters {
  return Object.fromEntries(
    [...searchParams].filter(([name]) => parameterNames.some(known => known === name)),
  );
}

/** Checks nothing: the service does, and its message is shown. */
export function listParametersOf({ limit, ...others }: AddressParameters): ListParameters {
  return { ...others, ...(limit !== undefined && { limit: Number(limit) }) } as ListParameters;
}

export function addressOf(view: View, parameters: AddressParameters = {}): string {
  const given = parameterNames.flatMap(name => {
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
