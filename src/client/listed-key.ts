/**
 * An API key as any service of the operation may list it: what is absent or null isn't known. Its workspace may be in more than one
 * place, so only `workspaceOf` tells it.
 */
export interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly created_at?: string | null;
  readonly created_by?: { readonly id?: string | null; readonly type?: string | null } | null;
  readonly partial_key_hint?: string | null;
  readonly status?: string | null;
  readonly [field: string]: unknown;
}

/** What a person is shown where a record doesn't tell. */
export const UNTOLD = '?';

/** In the place of a workspace: the key is one of the whole organization. */
export const ORGANIZATION = '(organization)';

/** `null`: the default workspace; `undefined`: it isn't told. Version 2026-10-21 has a `scope` instead of `workspace_id`. */
export function workspaceOf({
  workspace_id,
  scope,
}: Readonly<Record<string, unknown>>): string | null | undefined {
  if ((typeof workspace_id === 'string' && workspace_id !== '') || workspace_id === null) return workspace_id;
  const { type, workspace_id: ofScope } = Object(scope);
  if (typeof ofScope === 'string') return ofScope;
  return type === 'organization' ? ORGANIZATION : undefined;
}

/** Of RFC 3339, section 5.6, which has lower case, a space and any number of digits too. */
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,3}(\d*))?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** In milliseconds since 1970, exact to the microsecond until 2248; `NaN`: it isn't told, as in a leap second. */
export function timeOf(text: unknown): number {
  const match = typeof text === 'string' ? RFC_3339.exec(text) : null;
  if (!match) return Number.NaN;
  const [written, below] = match;
  const time = Date.parse(written.toUpperCase().replace(' ', 'T')); // not every `Date.parse` takes other forms
  return below ? time + Number(`0.${below}`) : time;
}
