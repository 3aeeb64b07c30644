import { goTo, rosterAddress } from '../shell/address.ts';
import type { LoadedPage } from '../walk/load-page.ts';
import { type RosterQuery, withoutCursor } from '../walk/query.ts';

/** Goes from page to page by cursor. */
export function Pager({ query, keys, newer, older, loading }: LoadedPage & { readonly loading: boolean }) {
  const [newest, oldest] = [keys.at(0), keys.at(-1)];
  const to = (exists: boolean, cursor: RosterQuery) =>
    exists && !loading ? () => goTo(rosterAddress({ ...withoutCursor(query), ...cursor })) : undefined;
  const first = to(newer, {});
  // An empty page has no key for a cursor: go to the first page.
  const previous = to(newer, newest ? { before_id: newest.id } : {});
  const next = oldest && to(older, { after_id: oldest.id });
  return (
    <nav class="row pager" aria-label="Pages">
      {Object.entries({ First: first, Previous: previous, Next: next }).map(([name, go]) => (
        // `aria-disabled` and not `disabled`, which would lose the keyboard's focus on the last page.
        <button key={name} type="button" aria-disabled={!go} onClick={go}>
          {name}
        </button>
      ))}
    </nav>
  );
}
