import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Directory } from '../../admin/directory/directory.ts';
import { looksLikeFullKey } from '../../admin/find/mask.ts';
import { parseOwnerId } from '../../shared/record/identifier.ts';
import { looksLikeKey } from '../../shared/record/looks-like-key.ts';
import { parseTimestamp } from '../../shared/record/timestamp.ts';
import { idsNamed, teamDigest, teamsOf } from '../people/lookup.ts';
import { useDirectory } from '../people/names.tsx';
import { goTo, rosterAddress, views } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { Menu } from '../shell/menu.tsx';
import { filterWords } from '../walk/describe.ts';
import { filtersOf, type RosterQuery, withFilter } from '../walk/query.ts';
import type { KnownIds } from '../worklist/worklist-count.ts';
import { type ControlName, controls, DEFAULT_WORKSPACE, FilterField, type Known } from './filter-field.tsx';

const allNames = Object.keys(controls) as readonly ControlName[];
/** So many are in sight, and the others in the menu. */
const IN_SIGHT = 3;

interface FiltersProps {
  readonly query: RosterQuery;
  readonly known: Known;
  /** What else the menu has. */
  readonly children: ComponentChildren;
}

/**
 * Each control sets its own filter in the address when it is changed; the other filters, those of time too, stay. A changed filter
 * begins at the newest key again: no cursor is kept.
 */
export function Filters({ query, known, children }: FiltersProps) {
  const form = useRef<HTMLFormElement>(null);
  const directory = useDirectory();
  const [refused, setRefused] = useState<ComponentChildren>(null);
  const names = allNames.filter(name => {
    const { by } = controls[name];
    if (by === undefined || query[name] !== undefined) return true;
    return by === 'directory' ? directory.size > 0 : known.times.has(by);
  });
  const values = names.map(name => shownValue(query, name, directory));
  const reset = () => {
    for (const [index, name] of names.entries()) elementOf(form.current, name).value = values[index] ?? '';
  };
  // A new address replaces what was typed, but not what is typed once the fields are shown.
  useLayoutEffect(reset, values);

  const apply = (name: ControlName) => {
    const typed = elementOf(form.current, name).value.trim();
    if (typed === shownValue(query, name, directory)) return;
    const value = addressValueOf(name, typed, directory);
    const why = mayHaveKey(name, typed, known) ? WAS_KEY : value === undefined ? NOT_KNOWN : null;
    setRefused(why);
    if (why !== null || value === undefined) return reset();
    goTo(rosterAddress(changed(query, name, value)));
  };
  const fields = names.map((name, index) => (
    <FilterField
      key={name}
      name={name}
      value={values[index] ?? ''}
      known={known}
      onChange={() => apply(name)}
    />
  ));
  return (
    <form class="filters" ref={form} onSubmit={event => event.preventDefault()} aria-label="Filters">
      <div class="filter-bar">
        {fields.slice(0, IN_SIGHT)}
        <Menu label="More">
          {fields.slice(IN_SIGHT)}
          {children}
        </Menu>
      </div>
      {refused !== null && (
        <p role="alert" class="bad">
          {refused}
        </p>
      )}
      <Chips query={query} directory={directory} />
    </form>
  );
}

const WAS_KEY = (
  <>
    That looks like a full key. It was not sent, and the field is empty again.{' '}
    <Link to={views.find.path}>Find</Link> looks for the hint of a key.
  </>
);
const NOT_KNOWN =
  'That is no ID, and no name or mail address that one entry of your directory has. It was not sent.';

/** Every filter of the list in words, with a button that removes it. */
function Chips({ query, directory }: Pick<FiltersProps, 'query'> & { readonly directory: Directory }) {
  const filters = filtersOf(query);
  const { limit } = query;
  if (filters.length === 0) return null;
  return (
    <ul class="row chips" aria-label="Active filters">
      {filters.map(([name, value]) => {
        const words = filterWords[name](value, directory);
        return (
          <li key={name}>
            <button
              type="button"
              class="small"
              aria-label={`Remove filter: ${words}`}
              onClick={() => goTo(rosterAddress(withFilter(query, name, '')))}
            >
              {words} <span aria-hidden="true">×</span>
            </button>
          </li>
        );
      })}
      {filters.length > 1 && (
        <li>
          <Link class="small" to={rosterAddress(limit === undefined ? {} : { limit })}>
            Clear all
          </Link>
        </li>
      )}
    </ul>
  );
}

/** A key would be sent, and be in the address. What can't be an ID may have one in a longer text. */
function mayHaveKey(name: ControlName, value: string, { workspaces, creators }: KnownIds): boolean {
  if (controls[name].kind !== 'pick') return false;
  const looksSo = parseOwnerId(value) === undefined ? looksLikeKey(value) : looksLikeFullKey(value);
  return looksSo && ![...workspaces, ...creators].includes(value);
}

/** What the field has for the address's value: a name where the address has an ID. */
function shownValue(query: RosterQuery, name: ControlName, directory: Directory): string {
  const value = query[name] ?? controls[name].default ?? '';
  if (name === 'workspace_id' && query.default_workspace !== undefined) return DEFAULT_WORKSPACE;
  if (name === 'workspace_id') return directory.workspaceName(value);
  if (name === 'created_by_user_id') return directory.creatorName(value);
  if (name === 'team') return teamsOf(directory).get(value) ?? value;
  if (controls[name].kind !== 'date') return value;
  // A field for a date can't have a time, or what is no date. The chip has it.
  const [date = ''] = value.split('T');
  return parseTimestamp(`${date}T00:00:00Z`) === undefined ? '' : date;
}

/** What the address has for what the field has: never a name. `undefined`: it has none. */
function addressValueOf(name: ControlName, typed: string, directory: Directory): string | undefined {
  if (controls[name].kind !== 'pick' || typed === '') return typed;
  if (name === 'workspace_id' && typed.toLowerCase() === DEFAULT_WORKSPACE.toLowerCase()) return typed;
  if (name === 'team') return teamsOf(directory).has(teamDigest(typed)) ? teamDigest(typed) : undefined;
  const [id, ...others] = idsNamed(directory, name === 'workspace_id' ? 'workspace' : 'creator', typed);
  return others.length > 0 ? undefined : (id ?? parseOwnerId(typed));
}

function changed(query: RosterQuery, name: ControlName, value: string): RosterQuery {
  if (name === 'workspace_id' && value.toLowerCase() === DEFAULT_WORKSPACE.toLowerCase())
    return withFilter(query, 'default_workspace', 'true');
  if (name === 'workspace_id' && value === '') return withFilter(query, 'default_workspace', '');
  return withFilter(query, name, value === controls[name].default ? '' : value);
}

function elementOf(form: HTMLFormElement | null, name: ControlName) {
  return form?.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
}
