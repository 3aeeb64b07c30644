import { useEffect, useState } from 'preact/hooks';
import { type AddressParameters, addressOf } from '../shell/address.ts';
import { announce } from '../shell/announce.ts';
import { ErrorNotice } from '../shell/error-notice.tsx';
import { Link } from '../shell/link.tsx';
import { focusRow } from '../shell/row-focus.ts';
import { isRefusedKey, type Session } from '../shell/session.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { ApiKeyTable } from './api-key-table.tsx';
import { Filters } from './filters.tsx';
import { Pager } from './pager.tsx';
import { type ShownPage, usePage } from './use-page.ts';

interface RosterViewProps {
  readonly session: Session;
  readonly parameters: AddressParameters;
  readonly onKeyRefused: () => void;
}

export function RosterView({ session, parameters, onKeyRefused }: RosterViewProps) {
  const { shown, error, loading, reload } = usePage(session, parameters);
  const [exact, setExact] = useState(false);
  const refused = isRefusedKey(error);
  useEffect(() => {
    if (refused) onKeyRefused();
  }, [refused, onKeyRefused]);
  useEffect(() => {
    if (shown) announce(`${countOf(shown)} shown`);
  }, [shown]);
  useShortcuts({ down: () => focusRow(1), up: () => focusRow(-1) });

  return (
    <>
      <h1>API keys</h1>
      <Filters parameters={parameters} />
      {error !== null && !refused && (
        <ErrorNotice error={error} onRetry={reload}>
          <Link to={addressOf('roster')}>Show all keys from the newest</Link>
        </ErrorNotice>
      )}
      {shown === null && error === null && <p class="loading muted">Loading…</p>}
      {shown !== null && (
        <div class="keys" aria-busy={loading}>
          <div class="row table-head">
            <p class="muted">{countOf(shown)}, newest first</p>
            <button type="button" class="small" aria-pressed={exact} onClick={() => setExact(!exact)}>
              Exact times
            </button>
            <button type="button" class="small" aria-disabled={loading} onClick={reload}>
              Reload
            </button>
          </div>
          {shown.page.data.length > 0 ? <ApiKeyTable {...shown} exact={exact} /> : <Empty {...shown} />}
          <Pager {...shown} loading={loading} />
        </div>
      )}
    </>
  );
}

function countOf({ page }: ShownPage): string {
  return page.data.length === 1 ? '1 key' : `${page.data.length} keys`;
}

function Empty({ parameters }: ShownPage) {
  const { after_id, before_id, limit: _, ...filters } = parameters;
  if (after_id ?? before_id) return <p class="empty">No more API keys in this direction.</p>;
  if (Object.keys(filters).length === 0) return <p class="empty">This organization has no API keys yet.</p>;
  return (
    <p class="empty">
      No API key matches these filters. <Link to={addressOf('roster')}>Show all keys</Link>
    </p>
  );
}
