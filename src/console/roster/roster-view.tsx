import { useEffect, useMemo } from 'preact/hooks';
import type { Total } from '../overview/known.ts';
import { goBackTo, rosterAddress } from '../shell/address.ts';
import { announce } from '../shell/announce.ts';
import { ErrorNotice, isFinal } from '../shell/error-notice.tsx';
import { Link } from '../shell/link.tsx';
import { focusRow } from '../shell/row-focus.ts';
import type { Session } from '../shell/session.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import type { LoadedPage } from '../walk/load-page.ts';
import { type RosterQuery, textOf } from '../walk/query.ts';
import { WalkProgress } from '../walk/walk-progress.tsx';
import type { KnownIds } from './filter-field.tsx';
import { Filters } from './filters.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { KeyList, pageText } from './key-list.tsx';
import { usePage } from './use-page.ts';

interface RosterViewProps {
  readonly session: Session;
  readonly query: RosterQuery;
  /** The key whose drawer is open. */
  readonly openKey: string | null;
  /** How many keys a query has, as far as a count knows it. */
  readonly totalOf: (query: RosterQuery) => Total | undefined;
  /** What a count knows, to pick from. */
  readonly counted: KnownIds;
}

export function RosterView({ session, query, openKey, totalOf, counted }: RosterViewProps) {
  const { shown, walk, error, loading, reload } = usePage(session, query);
  const isWhole = walk === null || walk.state.kind === 'complete';
  const { seenIds } = session;
  const known = useMemo(() => {
    if (shown) seenIds.add(shown.keys);
    return {
      workspaces: new Set([...counted.workspaces, ...seenIds.workspaces]),
      creators: new Set([...counted.creators, ...seenIds.creators]),
      times: new Set(seenIds.times),
    };
  }, [shown, seenIds, counted]);
  useEffect(() => {
    if (shown && isWhole) announce(`Shown: ${pageText(shown)}`);
  }, [shown, isWhole]);
  useShortcuts({ down: () => focusRow(1), up: () => focusRow(-1) });

  return (
    <>
      <h1>API keys</h1>
      <Filters query={query} known={known} />
      {walk && (
        <WalkProgress what="Reading the roster" walk={walk} found={shown?.keys.length ?? 0}>
          {walk.state.kind === 'failed' && <AllKeysLink />}
        </WalkProgress>
      )}
      {error !== null && !walk && (
        <ErrorNotice error={error} onRetry={reload} loading={loading}>
          <AllKeysLink />
        </ErrorNotice>
      )}
      {shown === null && error === null && <p class="loading muted">Loading…</p>}
      {shown !== null && !(shown.keys.length === 0 && isFinal(error)) && (
        <KeyList
          {...shown}
          session={session}
          total={isWhole ? (totalOfOnlyPage(shown) ?? totalOf(shown.query)) : undefined}
          isStale={textOf(shown.query) !== textOf(query)}
          isWhole={isWhole}
          loading={loading}
          openKey={openKey}
          reload={reload}
        />
      )}
      {openKey !== null && (
        <KeyDrawer
          key={openKey}
          session={session}
          id={openKey}
          query={query}
          listed={shown?.keys.find(({ id }) => id === openKey)}
          onClose={() => goBackTo(rosterAddress(query))}
        />
      )}
    </>
  );
}

const AllKeysLink = () => <Link to={rosterAddress({})}>Show all keys from the newest</Link>;

function totalOfOnlyPage({ keys, newer, older }: LoadedPage): Total | undefined {
  return newer || older ? undefined : { keys: keys.length };
}
