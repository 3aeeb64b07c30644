import type { Total } from '../overview/known.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import type { Session } from '../shell/session.ts';
import { describe } from '../walk/describe.ts';
import { fileFormats } from '../walk/file-formats.ts';
import { keysText } from '../walk/keys-text.ts';
import type { LoadedPage } from '../walk/load-page.ts';
import { filtersOf, type RosterQuery } from '../walk/query.ts';
import { dateOf } from './created.tsx';
import { KeyTable } from './key-table.tsx';
import { Pager } from './pager.tsx';

interface KeyListProps extends LoadedPage {
  readonly session: Session;
  /** `undefined`: not known. */
  readonly total: Total | undefined;
  /** Whether these are the keys of the list before, since this one didn't come yet. */
  readonly isStale: boolean;
  /** Whether all of the page was found. */
  readonly isWhole: boolean;
  readonly loading: boolean;
  /** The key whose drawer is open. */
  readonly openKey: string | null;
  readonly reload: () => void;
}

/** A page of keys, with what it is in words and what can be done with it. */
export function KeyList(props: KeyListProps) {
  const { session, total, isStale, isWhole, loading, openKey, reload, ...page } = props;
  const { keys, query } = page;
  return (
    <div class={isStale ? 'keys stale' : 'keys'} aria-busy={loading}>
      <p class="summary">
        {isStale ? 'Still shown: ' : 'Shown: '}
        <strong>{describe(query) || 'all keys'}</strong>, newest first.{' '}
        <span class="muted">
          {total && `${keysText(total.keys)}${total.asOf ? ` as of ${total.asOf}` : ''}. `}
          {total?.keys !== keys.length && `This page: ${pageText(page)}.`}
        </span>
      </p>
      <div class="toolbar">
        <Pager {...page} loading={loading} label="Pages" />
        <div class="row end">
          <button type="button" class="small" aria-disabled={loading} onClick={reload}>
            Reload
          </button>
          {formatNames.map(name => (
            <button
              key={name}
              type="button"
              class="small"
              onClick={() => session.downloads.start(session, query, name)}
            >
              Download {name.toUpperCase()}
            </button>
          ))}
        </div>
      </div>
      {keys.length > 0 ? (
        <KeyTable
          caption="API keys, newest first"
          rows={keys.map(apiKey => ({ apiKey, query, isOpen: apiKey.id === openKey }))}
        />
      ) : (
        <p class="empty">{isWhole ? <NoKeys query={query} /> : 'None found so far.'}</p>
      )}
      <Pager {...page} loading={loading} label="Pages, below the list" />
    </div>
  );
}

const formatNames = Object.keys(fileFormats) as readonly (keyof typeof fileFormats)[];

/** Such as "20 keys, created 2026-04-11 to 2026-04-02". */
export function pageText({ keys }: LoadedPage): string {
  const [newest, oldest] = [keys.at(0), keys.at(-1)];
  const dates = newest && oldest && new Set([dateOf(newest.created_at), dateOf(oldest.created_at)]);
  return keysText(keys.length) + (dates ? `, created ${[...dates].join(' to ')}` : '');
}

function NoKeys({ query }: { readonly query: RosterQuery }) {
  if (query.after_id ?? query.before_id) return <>No more API keys in this direction.</>;
  if (filtersOf(query).length === 0) return <>There are no API keys yet.</>;
  return (
    <>
      No API key matches these filters. <Link to={rosterAddress({})}>Show all keys</Link>
    </>
  );
}
