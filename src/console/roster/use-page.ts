import { useCallback, useEffect, useState } from 'preact/hooks';
import { goTo, rosterAddress } from '../shell/address.ts';
import type { Session } from '../shell/session.ts';
import { type LoadedPage, loadPage, walkToPage } from '../walk/load-page.ts';
import { isFilteredLocally, openKeyOf, type RosterQuery, withoutCursor } from '../walk/query.ts';
import type { Walk } from '../walk/walk.ts';

export interface PageState {
  /** The last page that came. It stays visible while the next one loads, and when that fails. */
  readonly shown: LoadedPage | null;
  /** What fills the page where the console itself filters. While it runs, `shown` has what it found so far. */
  readonly walk: Walk | null;
  readonly error: unknown;
  readonly loading: boolean;
}

/** Loads the page of this query, and again by `reload`. What comes after the query changed is dropped. */
export function usePage(session: Session, query: RosterQuery): PageState & { reload(): void } {
  const [attempt, setAttempt] = useState(0);
  const reload = useCallback(() => setAttempt(count => count + 1), []);
  const request = JSON.stringify([query, attempt]);
  /** A list by what a directory tells is another one with each directory. */
  const people = (query.team ?? query.creator_state) === undefined ? null : session.desk.directory;
  const [{ of, ...state }, setState] = useState<PageState & { readonly of: string }>({
    of: request,
    shown: null,
    walk: null,
    error: null,
    loading: true,
  });

  useEffect(() => {
    const [requested]: [RosterQuery] = JSON.parse(request);
    const load = isFilteredLocally(requested) ? loadByWalk : loadByRequest;
    return load(session, requested, change => {
      const { shown, walk } = change;
      const isComplete = !walk || walk.state.kind === 'complete';
      if (shown && isComplete && isFirst(shown))
        goTo(rosterAddress(withoutCursor(requested), openKeyOf(new URL(location.href))), { replace: true });
      else setState(before => ({ ...before, ...change, of: request }));
    });
  }, [session, request, people]);

  // Until the first answer for another query the state is still that of the one before, whose walk has ended.
  const isCurrent = of === request;
  return { ...state, walk: isCurrent ? state.walk : null, loading: state.loading || !isCurrent, reload };
}

type OnChange = (change: Partial<PageState> & { readonly loading: boolean }) => void;

/** Returns what ends it. */
function loadByRequest(session: Session, query: RosterQuery, onChange: OnChange): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  loadPage(session, query, signal).then(
    shown => signal.aborted || onChange({ shown, walk: null, error: null, loading: false }),
    error => signal.aborted || onChange({ walk: null, error, loading: false }),
  );
  return () => controller.abort();
}

/** Returns what ends it. */
function loadByWalk(session: Session, query: RosterQuery, onChange: OnChange): () => void {
  let walked: ReturnType<typeof walkToPage>;
  try {
    walked = walkToPage(session, query);
  } catch (error) {
    onChange({ walk: null, error, loading: false });
    return () => {};
  }
  const { walk, page } = walked;
  const unsubscribe = walk.subscribe(() => {
    const error = walk.state.kind === 'failed' ? walk.state.error : null;
    onChange({ shown: page(), walk, error, loading: walk.state.kind === 'running' });
  });
  walk.run();
  return () => {
    unsubscribe();
    walk.stop();
  };
}

/**
 * The first page, reached by `before_id`, may have fewer keys than the limit, and would not be the first any more once
 * keys are added. So it is requested again, without the cursor.
 */
function isFirst({ query, newer }: LoadedPage): boolean {
  return query.before_id !== undefined && !newer;
}
