import { goTo, rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { describe } from '../walk/describe.ts';
import { keysText, numberText } from '../walk/keys-text.ts';
import type { LoadedPage } from '../walk/load-page.ts';
import { orderText } from '../walk/orders.ts';
import { filtersOf, type RosterQuery, withoutCursor } from '../walk/query.ts';
import { KeyTable } from './key-table.tsx';
import type { PageState } from './use-page.ts';
import { dateOf } from './values.tsx';

interface KeyListProps extends Omit<PageState, 'shown'> {
  readonly shown: LoadedPage;
  /** Whether these are the keys of the list before, since this one didn't come yet. */
  readonly isStale: boolean;
  /** The key whose drawer is open. */
  readonly openKey: string | null;
}

/** A page of keys, and the way to the next one. */
export function KeyList({ shown, walk, error, loading, isStale, openKey }: KeyListProps) {
  const { keys, query, newer, older, total } = shown;
  const isWhole = walk === null || walk.state.kind === 'complete';
  return (
    <div class={isStale ? 'keys stale' : 'keys'} aria-busy={loading}>
      {isStale && error !== null && (
        <p class="summary">
          Still shown: <strong>{describe(query) || 'all keys'}</strong>
          {query.oldest_by === undefined && ', newest first'}.
        </p>
      )}
      {keys.length > 0 ? (
        <KeyTable
          caption={`API keys, ${orderText(query)}`}
          sorts={query}
          rows={keys.map(apiKey => ({ apiKey, query, isOpen: apiKey.id === openKey }))}
        />
      ) : (
        <p class="empty">{isWhole ? <NoKeys query={query} /> : 'None found so far.'}</p>
      )}
      {total !== undefined && total > keys.length && (
        <p class="muted small">
          The first {numberText(keys.length)} of {keysText(total)}: a larger page size shows more.
        </p>
      )}
      {(newer || older) && (
        <div class="row">
          <Pager {...shown} loading={loading} />
          <span class="muted small">{pageText(shown)}</span>
        </div>
      )}
    </div>
  );
}

/** Goes from page to page by cursor. */
function Pager({ query, keys, newer, older, loading }: LoadedPage & { readonly loading: boolean }) {
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

/** Such as "20 keys, created 2026-04-11 to 2026-04-02". */
export function pageText({ keys, query }: LoadedPage): string {
  const [newest, oldest] = query.oldest_by === undefined ? [keys.at(0), keys.at(-1)] : [];
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
