import { goTo, rosterAddress } from '../shell/address.ts';
import type { LoadedPage } from '../walk/load-page.ts';
import { type RosterQuery, withoutCursor } from '../walk/query.ts';

interface PagerProps extends LoadedPage {
  readonly loading: boolean;
}

/** Goes from page to page by cursor. */
export function Pager({ query, keys, newer, older, loading }: PagerProps) {
  const to = (cursor: RosterQuery) => () => {
    goTo(rosterAddress({ ...withoutCursor(query), ...cursor }));
    scrollTo({ top: 0 });
  };
  const [newest, oldest] = [keys.at(0), keys.at(-1)];
  return (
    <nav class="row pager" aria-label="Pages">
      <PageButton label="First" exists={newer} loading={loading} go={to({})} />
      <PageButton
        label="Previous"
        exists={newer}
        loading={loading}
        // An empty page has no key for a cursor: go to the first page.
        go={to(newest ? { before_id: newest.id } : {})}
      />
      <PageButton
        label="Next"
        exists={older && oldest !== undefined}
        loading={loading}
        go={to(oldest ? { after_id: oldest.id } : {})}
      />
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
