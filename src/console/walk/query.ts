import type { ListParameters } from '../../client/client.ts';
import { parseDuration } from '../../shared/record/duration.ts';

/** What the operation filters and pages by, in the order of the address. One that is missing doesn't compile. */
const SERVICE_NAMES = Object.keys({
  status: true,
  workspace_id: true,
  created_by_user_id: true,
  created_from: true,
  created_before: true,
  limit: true,
  after_id: true,
  before_id: true,
} satisfies Record<keyof ListParameters, true>) as readonly ServiceName[];

/** What the operation can't filter: the console reads the pages of the service and leaves out what doesn't match. */
const OWN_NAMES = [
  'default_workspace',
  'creator_type',
  'expires_within',
  'expired',
  'unused_for',
  'breaks',
  'creator_state',
  'team',
  'name',
  'unknown', // what the address has and nothing filters by
  'oldest_by', // no filter, but it is picked and taken out as they are
] as const;
/** One that the operation has too doesn't compile: the address would have it twice. */
const LOCAL_NAMES: readonly LocalName[] = OWN_NAMES;

/** What `breaks` has for the keys that break any policy: no policy has this name. */
export const ANY_POLICY = '*';

const TIME_NAMES = ['created_from', 'created_before'] as const;
const ALL_NAMES = [...SERVICE_NAMES, ...LOCAL_NAMES];

const OPEN_KEY = 'key';
const KNOWN_NAMES: readonly string[] = [...ALL_NAMES, OPEN_KEY];

export type ServiceName = keyof ListParameters;
export type CursorName = 'after_id' | 'before_id';
export type LocalName = Exclude<(typeof OWN_NAMES)[number], ServiceName>;
/** What is picked, and stays from page to page. */
export type FilterName = Exclude<ServiceName, CursorName | 'limit'> | LocalName;

/** Which API keys a list shows, as text: as the address has it. An absent value doesn't filter. A key may have an empty name. */
export type RosterQuery = { readonly [Name in ServiceName | LocalName]?: string };

/**
 * The service's part is the address's query. The console's own is the fragment, which no server sees: a name doesn't come into a log
 * by a reload.
 */
export function queryOf({ searchParams, hash }: URL): RosterQuery {
  const given = [...new URLSearchParams(hash.slice(1)), ...searchParams]; // in either, of a link that someone wrote
  const unknown = given.find(([name, value]) => value && !KNOWN_NAMES.includes(name))?.[0];
  return { ...pick(new URLSearchParams(given), ALL_NAMES), ...(unknown !== undefined && { unknown }) };
}

/** As text for the address: `?status=active#default_workspace=true`; `''` for all keys. */
export function textOf(query: RosterQuery, openKey: string | null = null): string {
  const service = String(new URLSearchParams(pick(query, SERVICE_NAMES)));
  const fragment = new URLSearchParams(pick(query, LOCAL_NAMES));
  if (openKey !== null) fragment.set(OPEN_KEY, openKey);
  const local = String(fragment);
  return (service && `?${service}`) + (local && `#${local}`);
}

/** The key whose drawer is open. It is in the fragment, beside the console's filters, and isn't part of what the list shows. */
export function openKeyOf({ hash }: URL): string | null {
  return new URLSearchParams(hash.slice(1)).get(OPEN_KEY) || null;
}

/**
 * Checks nothing: the service does, and its message is shown. A date alone is its first moment, UTC. A key that wasn't used for a
 * time is older than that: so fewer are read.
 */
export function serviceParametersOf(query: RosterQuery): ListParameters {
  const parameters = pick(query, SERVICE_NAMES);
  for (const name of TIME_NAMES)
    if (/^\d{4}-\d\d-\d\d$/.test(parameters[name] ?? '')) parameters[name] += 'T00:00:00Z';
  const { expires_within, expired, unused_for } = query;
  if ((expires_within ?? expired ?? unused_for) !== undefined) parameters.status ??= 'active';
  const before = Date.now() - (millisecondsOf(unused_for) ?? Number.NaN);
  if (Date.parse(parameters.created_before ?? '9999') > before)
    parameters.created_before = new Date(before).toISOString();
  return parameters as unknown as ListParameters; // the limit too is sent as it is written
}

/** "90d" in milliseconds; `undefined`: it is no length of time. */
export function millisecondsOf(text = ''): number | undefined {
  const duration = parseDuration(text);
  return duration === undefined ? undefined : Number(duration / 1_000n);
}

export function withoutCursor({ after_id: _after, before_id: _before, ...rest }: RosterQuery): RosterQuery {
  return rest;
}

/**
 * With this value of a filter, `''` for none, from the newest key. The keys of one workspace aren't in the default one, so either takes
 * the place of the other.
 */
export function withFilter(query: RosterQuery, name: FilterName | 'limit', value: string): RosterQuery {
  const others = withoutCursor(query);
  const { workspace_id: _one, default_workspace: _default, ...withoutWorkspace } = others;
  const isWorkspace = name === 'workspace_id' || name === 'default_workspace';
  const { [name]: _before, ...kept }: RosterQuery = isWorkspace ? withoutWorkspace : others;
  return pick(value === '' ? kept : { ...kept, [name]: value }, ALL_NAMES);
}

/** The keys of this workspace among those of the query. `null`: the default one. */
export function ofWorkspace(query: RosterQuery, id: string | null): RosterQuery {
  return id === null ? withFilter(query, 'default_workspace', 'true') : withFilter(query, 'workspace_id', id);
}

/** The filters alone, in the order of the address. */
export function filtersOf(query: RosterQuery): [FilterName, string][] {
  const { limit: _limit, ...filters } = withoutCursor(query);
  return Object.entries(filters) as [FilterName, string][];
}

export function isFilteredLocally(query: RosterQuery): boolean {
  return LOCAL_NAMES.some(name => query[name] !== undefined);
}

function pick<Name extends string>(
  from: URLSearchParams | { readonly [Each in Name]?: string },
  names: readonly Name[],
): { [Each in Name]?: string } {
  const given = names.flatMap(name => {
    const value = from instanceof URLSearchParams ? from.get(name) : from[name];
    return value || (name === 'name' && value === '') ? [[name, value] as const] : [];
  });
  return Object.fromEntries(given) as { [Each in Name]?: string };
}
