import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { FindView } from './find/find-view.tsx';
import { Finder } from './find/finder.ts';
import { OverviewView } from './overview/overview-view.tsx';
import type { RosterCount } from './overview/roster-count.ts';
import { RosterView } from './roster/roster-view.tsx';
import { addressOf, goTo, rosterAddress, useAddress, type View, viewOf, views } from './shell/address.ts';
import { Link } from './shell/link.tsx';
import type { Session } from './shell/session.ts';
import { SignIn } from './shell/sign-in.tsx';
import { DownloadsList } from './walk/downloads-list.tsx';
import { queryOf } from './walk/query.ts';

const titles: Readonly<Record<View, string>> = { overview: 'Overview', roster: 'Roster', find: 'Find a key' };

export function Console() {
  const address = useAddress();
  const view = viewOf(address);
  const [session, setSession] = useState<Session | null>(null);
  const [count, setCount] = useState<RosterCount | null>(null);
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
    document.title = `${session ? titles[view] : 'Sign in'} · Keyroster`;
  }, [session, view]);

  if (!session || !finder) {
    const begin = (begun: Session) => {
      setNotice(null);
      setSession(begun);
    };
    return <SignIn notice={notice} onSignIn={begin} onKeyRefused={keyRefused} />;
  }
  return (
    <>
      <Header view={view} organizationId={session.organizationId} onSignOut={signOut} />
      <main id="content" tabIndex={-1}>
        <DownloadsList downloads={session.downloads} />
        {view === 'roster' ? (
          <RosterView session={session} query={queryOf(address)} />
        ) : view === 'find' ? (
          <FindView finder={finder} />
        ) : (
          <OverviewView session={session} count={count} onCount={setCount} />
        )}
      </main>
    </>
  );
}

interface HeaderProps {
  readonly view: View;
  readonly organizationId: string | null;
  readonly onSignOut: () => void;
}

function Header({ view, organizationId, onSignOut }: HeaderProps) {
  return (
    <header class="header">
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        Skip to content
      </button>
      <span class="brand">Keyroster</span>
      <nav aria-label="Views">
        {views.map(each => (
          <Link key={each} to={addressOf(each)} aria-current={each === view ? 'page' : undefined}>
            {titles[each]}
          </Link>
        ))}
      </nav>
      <span class="organization" title="The organization of your admin key">
        <span class="visually-hidden">Organization </span>
        {organizationId}
      </span>
      <button type="button" class="quiet" onClick={onSignOut}>
        Sign out
      </button>
    </header>
  );
}
