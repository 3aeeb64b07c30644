import { useEffect, useState } from 'preact/hooks';
import { rosterAddress } from '../shell/address.ts';
import { announce } from '../shell/announce.ts';
import { ErrorNotice } from '../shell/error-notice.tsx';
import { Link } from '../shell/link.tsx';
import { focusRow } from '../shell/row-focus.ts';
import type { Session } from '../shell/session.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { keysText } from '../walk/keys-text.ts';
import type { LoadedPage } from '../walk/load-page.ts';
import { filtersOf, type RosterQuery } from '../walk/query.ts';
import { WalkProgress } from '../walk/walk-progress.tsx';
import { ApiKeyTable } from './api-key-table.tsx';
import { Filters } from './filters.tsx';
import { Pager } from './pager.tsx';
import { usePage } from './use-page.ts';

interface RosterViewProps {
  readonly session: Session;
  readonly query: RosterQuery;
}

export function RosterView({ session, query }: RosterViewProps) {
  const { shown, walk, error, loading, reload } = usePage(session, query);
  const [exact, setExact] = useState(false);
  useEffect(() => {
    if (shown) announce(`${keysText(shown.keys.length)} shown`);
  }, [shown]);
  useShortcuts({ down: () => focusRow(1), up: () => focusRow(-1) });

  return (
    <>
      <h1>API keys</h1>
      <Filters query={query} />
      {walk && <WalkProgress what="Reading the roster" walk={walk} />}
      {error !== null && !walk && (
        <ErrorNotice error={error} onRetry={reload}>
          <Link to={rosterAddress({})}>Show all keys from the newest</Link>
        </ErrorNotice>
      )}
      {shown === null && error === null && <p class="loading muted">Loading…</p>}
      {shown !== null && (
        <div class="keys" aria-busy={loading}>
          <div class="row table-head">
            <p class="muted">{keysText(shown.keys.length)}, newest first</p>
            <button type="button" class="small" aria-pressed={exact} onClick={() => setExact(!exact)}>
              Exact times
            </button>
            <button type="button" class="small" aria-disabled={loading} onClick={reload}>
              Reload
            </button>
          </div>
          {shown.keys.length > 0 ? <ApiKeyTable {...shown} exact={exact} /> : <Empty {...shown} />}
          <Pager {...shown} loading={loading} />
        </div>
      )}
    </>
  );
}

function Empty({ query }: LoadedPage) {
  if (query.after_id ?? query.before_id) return <p class="empty">No more API keys in this direction.</p>;
  if (filtersOf(query).length === 0) return <p class="empty">This organization has no API keys yet.</p>;
  return (
    <p class="empty">
      No API key matches these filters. <Link to={rosterAddress({})}>Show all keys</Link>
    </p>
  );
}
