import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { looksLikeFullKey } from '../../admin/find/mask.ts';
import { parseId } from '../../shared/record/identifier.ts';
import { looksLikeKey } from '../../shared/record/looks-like-key.ts';
import { parseTimestamp } from '../../shared/record/timestamp.ts';
import { addressOf, goTo, rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { useShortcuts } from '../shell/shortcuts.ts';
import { describeFilter } from '../walk/describe.ts';
import { filtersOf, type RosterQuery, withFilter } from '../walk/query.ts';
import {
  type ControlName,
  controls,
  DEFAULT_WORKSPACE,
  FilterField,
  type Known,
  type KnownIds,
} from './filter-field.tsx';

/** Where the fields would fill the screen. */
const NARROW = '(width < 40rem)';

const allNames = Object.keys(controls) as readonly ControlName[];

interface FiltersProps {
  readonly query: RosterQuery;
  readonly known: Known;
}

/**
 * Each control sets its own filter in the address when it is changed; the other filters, those of time too, stay. A changed filter
 * begins at the newest key again: no cursor is kept.
 */
export function Filters({ query, known }: FiltersProps) {
  const form = useRef<HTMLFormElement>(null);
  const details = useRef<HTMLDetailsElement>(null);
  const [hadKey, setHadKey] = useState(false);
  const names = allNames.filter(name => {
    const { by } = controls[name];
    return by === undefined || query[name] !== undefined || known.times.has(by);
  });
  const values = names.map(name => shownValue(query, name));
  const reset = () => {
    for (const [index, name] of names.entries()) elementOf(form.current, name).value = values[index] ?? '';
  };
  // A new address replaces what was typed, but not what is typed once the fields are shown.
  useLayoutEffect(reset, values);
  useLayoutEffect(() => {
    if (details.current) details.current.open = !matchMedia(NARROW).matches;
  }, []);
  useShortcuts({
    search: () => {
      if (details.current) details.current.open = true;
      elementOf(form.current, 'status').focus();
    },
  });

  const apply = (name: ControlName) => {
    const value = elementOf(form.current, name).value.trim();
    if (value === shownValue(query, name)) return;
    const hasKey = mayHaveKey(name, value, known);
    setHadKey(hasKey);
    if (hasKey) return reset();
    goTo(rosterAddress(changed(query, name, value)));
  };
  const clear = () => {
    reset();
    const { limit } = query;
    if (filtersOf(query).length > 0) goTo(rosterAddress(limit === undefined ? {} : { limit }));
  };
  return (
    <form class="filters" ref={form} onSubmit={event => event.preventDefault()} aria-label="Filters">
      <details ref={details}>
        <summary>Filters</summary>
        <div class="filter-fields">
          {names.map((name, index) => (
            <FilterField
              key={name}
              name={name}
              value={values[index] ?? ''}
              known={known}
              onChange={() => apply(name)}
            />
          ))}
          <button type="button" onClick={clear}>
            Clear all
          </button>
        </div>
      </details>
      {hadKey && (
        <p role="alert" class="was-key">
          That looks like a full key. It was not sent, and the field is empty again.{' '}
          <Link to={addressOf('find')}>Find</Link> looks for the hint of a key.
        </p>
      )}
      <Chips query={query} />
    </form>
  );
}

/** Every filter of the list in words, with a button that removes it. */
function Chips({ query }: Pick<FiltersProps, 'query'>) {
  const filters = filtersOf(query);
  if (filters.length === 0) return null;
  return (
    <ul class="row chips" aria-label="Active filters">
      {filters.map(([name, value]) => {
        const words = describeFilter(name, value);
        return (
          <li key={name}>
            <button
              type="button"
              class="small"
              aria-label={`Remove filter: ${words}`}
              onClick={() => goTo(rosterAddress(withFilter(query, name, '')))}
            >
              × {words}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** A key would be sent, and be in the address. What can't be an ID may have one in a longer text. */
function mayHaveKey(name: ControlName, value: string, { workspaces, creators }: KnownIds): boolean {
  if (controls[name].kind !== 'pick') return false;
  const looksSo = parseId(value) === undefined ? looksLikeKey(value) : looksLikeFullKey(value);
  return looksSo && ![...workspaces, ...creators].includes(value);
}

function shownValue(query: RosterQuery, name: ControlName): string {
  const value = query[name] ?? controls[name].default ?? '';
  if (name === 'workspace_id' && query.default_workspace !== undefined) return DEFAULT_WORKSPACE;
  if (controls[name].kind !== 'date') return value;
  // A field for a date can't have a time, or what is no date. The chip has it.
  const [date = ''] = value.split('T');
  return parseTimestamp(`${date}T00:00:00Z`) === undefined ? '' : date;
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
