import { useState } from 'preact/hooks';
import type { Total } from '../overview/known.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import type { Session } from '../shell/session.ts';
import { fileFormats } from '../walk/file-formats.ts';
import type { LoadedPage } from '../walk/load-page.ts';
import { filtersOf } from '../walk/query.ts';
import { ApiKeyTable } from './api-key-table.tsx';
import type { KnownIds } from './filter-field.tsx';
import { ListSummary } from './list-summary.tsx';
import { Pager } from './pager.tsx';
import { UnknownIds } from './unknown-ids.tsx';

interface KeyListProps extends LoadedPage {
  readonly session: Session;
  readonly known: KnownIds;
  readonly total: Total | undefined;
  /** Whether these are the keys of the list before. */
  readonly isStale: boolean;
  /** Whether all of the page was found. */
  readonly isWhole: boolean;
  readonly loading: boolean;
  readonly openKey: string | null;
  readonly reload: () => void;
  readonly goToOldest: () => void;
}

/** A page of keys, with what it is in words and what can be done with it. */
export function KeyList({
  session,
  known,
  total,
  isStale,
  isWhole,
  loading,
  openKey,
  reload,
  goToOldest,
  ...page
}: KeyListProps) {
  const [exact, setExact] = useState(false);
  const pager = { ...page, loading, goToOldest };
  return (
    <div class={isStale ? 'keys stale' : 'keys'} aria-busy={loading}>
      <ListSummary {...page} total={total} isStale={isStale} />
      <div class="toolbar">
        <Pager {...pager} label="Pages" />
        <div class="row end">
          <button type="button" class="small" aria-pressed={exact} onClick={() => setExact(!exact)}>
            Exact times
          </button>
          <button type="button" class="small" aria-disabled={loading} onClick={reload}>
            Reload
          </button>
          {formatNames.map(name => (
            <button
              key={name}
              type="button"
              class="small"
              onClick={() => session.downloads.start(session, page.query, name)}
            >
              Download {name.toUpperCase()}
            </button>
          ))}
        </div>
      </div>
      {page.keys.length > 0 && <ApiKeyTable {...page} exact={exact} openKey={openKey} />}
      {page.keys.length === 0 &&
        (isWhole ? <Empty query={page.query} known={known} /> : <p class="empty">None found so far.</p>)}
      <Pager {...pager} label="Pages, below the list" />
    </div>
  );
}

const formatNames = Object.keys(fileFormats) as readonly (keyof typeof fileFormats)[];

function Empty({ query, known }: Pick<KeyListProps, 'query' | 'known'>) {
  if (query.after_id ?? query.before_id) return <p class="empty">No more API keys in this direction.</p>;
  if (filtersOf(query).length === 0) return <p class="empty">This organization has no API keys yet.</p>;
  return (
    <div class="empty">
      <p>
        No API key matches these filters. <Link to={rosterAddress({})}>Show all keys</Link>
      </p>
      <UnknownIds query={query} known={known} />
    </div>
  );
}
