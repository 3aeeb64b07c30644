import { useRef } from 'preact/hooks';
import { goTo, rosterAddress } from '../shell/address.ts';
import { describeFilter } from '../walk/describe.ts';
import { filtersOf, type RosterQuery, withFilter } from '../walk/query.ts';

/** Every filter of the list in words, with a button that removes it. */
export function Chips({ query }: { readonly query: RosterQuery }) {
  const list = useRef<HTMLUListElement>(null);
  const filters = filtersOf(query);
  if (filters.length === 0) return null;
  const remove = (name: (typeof filters)[number][0], index: number) => {
    // Its button goes with it: the focus moves to the one beside it.
    const buttons = list.current?.querySelectorAll('button');
    (buttons?.[index + 1] ?? buttons?.[index - 1])?.focus();
    goTo(rosterAddress(withFilter(query, name, '')));
  };
  return (
    <ul ref={list} class="row chips" aria-label="Active filters">
      {filters.map(([name, value], index) => {
        const words = describeFilter(name, value);
        return (
          <li key={name} class="chip">
            <span class="truncate">{words}</span>
            <button type="button" aria-label={`Remove filter: ${words}`} onClick={() => remove(name, index)}>
              ×
            </button>
          </li>
        );
      })}
    </ul>
  );
}
