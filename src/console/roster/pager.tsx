import { goTo, rosterAddress } from '../shell/address.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import type { LoadedPage } from '../walk/load-page.ts';
import { type RosterQuery, withoutCursor } from '../walk/query.ts';

interface PagerProps extends LoadedPage {
  /** Of the landmark: there is a pager above the list and one below it. */
  readonly label: string;
  readonly loading: boolean;
  readonly goToOldest: () => void;
}

/** Goes from page to page by cursor. */
export function Pager({ label, query, keys, newer, older, loading, goToOldest }: PagerProps) {
  const to = (cursor: RosterQuery) => () => goTo(rosterAddress({ ...withoutCursor(query), ...cursor }));
  const [newest, oldest] = [keys.at(0), keys.at(-1)];
  // An empty page has no key for a cursor: go to the first page.
  const previous = to(newest ? { before_id: newest.id } : {});
  const next = to(oldest ? { after_id: oldest.id } : {});
  const hasNext = older && oldest !== undefined;
  useShortcuts({
    previous: newer && !loading ? previous : undefined,
    next: hasNext && !loading ? next : undefined,
  });
  return (
    <nav class="row pager" aria-label={label}>
      <PageButton label="First" exists={newer} loading={loading} go={to({})} />
      <PageButton label="Previous" exists={newer} loading={loading} go={previous} />
      <PageButton label="Next" exists={hasNext} loading={loading} go={next} />
      <PageButton label="Oldest" exists={hasNext} loading={loading} go={goToOldest} />
    </nav>
  );
}

interface PageButtonProps {
  readonly label: string;
  readonly exists: boolean;
  readonly loading: boolean;
  readonly go: () => void;
}

/** `aria-disabled` and not `disabled`, which would lose the keyboard's focus on the last page. */
function PageButton({ label, exists, loading, go }: PageButtonProps) {
  const enabled = exists && !loading;
  return (
    <button type="button" aria-disabled={!enabled} onClick={() => enabled && go()}>
      {label}
    </button>
  );
}
