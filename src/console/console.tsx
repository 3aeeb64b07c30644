import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { FindView } from './find/find-view.tsx';
import { Finder } from './find/finder.ts';
import { OverviewView } from './overview/overview-view.tsx';
import type { RosterCount } from './overview/roster-count.ts';
import { DEFAULT_THRESHOLD } from './overview/threshold-control.tsx';
import { RosterView } from './roster/roster-view.tsx';
import { goTo, rosterAddress, useAddress, viewOf } from './shell/address.ts';
import { Frame } from './shell/frame.tsx';
import type { Session } from './shell/session.ts';
import { SignIn } from './shell/sign-in.tsx';
import { viewWords } from './shell/view-words.ts';
import { DownloadsList } from './walk/downloads-list.tsx';
import { openKeyOf, queryOf } from './walk/query.ts';

export function Console() {
  const address = useAddress();
  const view = viewOf(address);
  const [session, setSession] = useState<Session | null>(null);
  const [count, setCount] = useState<RosterCount | null>(null);
  const [days, onDays] = useState(DEFAULT_THRESHOLD);
  const [notice, setNotice] = useState<string | null>(null);

  const finder = useMemo(() => session && new Finder(session), [session]);
  useEffect(() => () => finder?.end(), [finder]);

  const end = useCallback((why: string | null) => {
    setSession(ended => {
      ended?.downloads.removeAll();
      return null;
    });
    setCount(ended => {
      ended?.walk.stop();
      return null;
    });
    setNotice(why);
  }, []);
  const signOut = () => {
    end('You are signed out.');
    goTo(rosterAddress({}), { replace: true });
  };
  const keyRefused = useCallback(() => end('The admin key is no longer valid. Sign in with another.'), [end]);

  useEffect(() => {
    document.title = `${session ? viewWords[view].title : 'Sign in'} · Keyroster`;
  }, [session, view]);

  if (!session || !finder) {
    const begin = (begun: Session) => {
      setNotice(null);
      setSession(begun);
    };
    return <SignIn notice={notice} onSignIn={begin} onKeyRefused={keyRefused} />;
  }
  return (
    <Frame view={view} organizationId={session.organizationId} onSignOut={signOut}>
      <DownloadsList downloads={session.downloads} />
      {view === 'roster' ? (
        <RosterView
          session={session}
          query={queryOf(address)}
          openKey={openKeyOf(address)}
          totalOf={() => undefined}
          counted={{ workspaces: [], creators: [] }}
        />
      ) : view === 'find' ? (
        <FindView finder={finder} />
      ) : (
        <OverviewView session={session} count={count} onCount={setCount} threshold={{ days, onDays }} />
      )}
    </Frame>
  );
}
