import { useEffect, useMemo } from 'preact/hooks';
import { coverageText } from '../../admin/directory/directory.ts';
import { goBackTo, rosterAddress } from '../shell/address.ts';
import { announce } from '../shell/announce.ts';
import { ErrorNotice, isFinal } from '../shell/error-notice.tsx';
import { Link } from '../shell/link.tsx';
import { useChanges } from '../shell/observable.ts';
import type { Session } from '../shell/session.ts';
import type { FileFormatName } from '../walk/file-formats.ts';
import { keysText } from '../walk/keys-text.ts';
import { type RosterQuery, textOf } from '../walk/query.ts';
import { WalkProgress } from '../walk/walk-progress.tsx';
import { Filters } from './filters.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { KeyList, pageText } from './key-list.tsx';
import { usePage } from './use-page.ts';

interface RosterViewProps {
  readonly session: Session;
  readonly query: RosterQuery;
  /** The key whose drawer is open. */
  readonly openKey: string | null;
}

/** A list by a policy waits for the count, which begins by itself: a link of the worklist may come from another session. */
export function RosterView(props: RosterViewProps) {
  const { desk } = props.session;
  const { breaks } = props.query;
  const waits = breaks !== undefined && desk.isUndecided;
  const { walk } = desk.count ?? {};
  useChanges(waits && walk ? walk : null);
  useEffect(() => {
    if (waits && !walk) desk.countAgain();
  }, [waits, walk]);
  if (!waits) return <Roster {...props} />;
  return (
    <>
      <h1>API keys</h1>
      {walk && <WalkProgress what="Counting which keys break a policy" walk={walk} />}
    </>
  );
}

function Roster({ session, query, openKey }: RosterViewProps) {
  const page = usePage(session, query);
  const { shown, walk, error, loading, reload } = page;
  const isWhole = walk === null || walk.state.kind === 'complete';
  const { seenIds, desk } = session;
  const { count } = desk;
  const coverage = (query.creator_state ?? query.team) === undefined ? undefined : desk.coverage;
  const known = useMemo(() => {
    if (shown) seenIds.add(shown.keys);
    const { workspaces = [], creators = [] } = count?.figures.ids() ?? {};
    return {
      workspaces: new Set([...workspaces, ...seenIds.workspaces]),
      creators: new Set([...creators, ...seenIds.creators]),
      times: new Set(seenIds.times),
    };
  }, [shown, seenIds, count, count?.total]);
  useEffect(() => {
    if (shown && isWhole) announce(`Shown: ${pageText(shown)}`);
  }, [shown, isWhole]);
  const isStale = shown !== null && textOf(shown.query) !== textOf(query);
  const total = isStale || !isWhole ? undefined : shown?.total;

  return (
    <>
      <div class="title">
        <h1>API keys</h1>
        {total !== undefined && <p class="muted">{keysText(total)}</p>}
      </div>
      <Filters query={query} known={known}>
        <button type="button" aria-disabled={loading} onClick={reload}>
          Reload
        </button>
        {(isFinal(error) ? [] : formatNames).map(name => (
          <button key={name} type="button" onClick={() => session.downloads.start(session, query, name)}>
            Download {name.toUpperCase()}
          </button>
        ))}
      </Filters>
      {coverage && <p class="muted small">{coverageText(coverage)}</p>}
      {walk && (
        <WalkProgress what="Reading the roster" walk={walk} found={shown?.total ?? shown?.keys.length ?? 0}>
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
        <KeyList {...page} shown={shown} isStale={isStale} openKey={openKey} />
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

const formatNames = ['csv', 'json'] as const satisfies readonly FileFormatName[];

const AllKeysLink = () => <Link to={rosterAddress({})}>Show all keys from the newest</Link>;
