import { useCallback, useEffect, useState } from 'preact/hooks';
import { OverviewView } from './overview/overview-view.tsx';
import type { Tally } from './overview/tally.ts';
import { RosterView } from './roster/roster-view.tsx';
import { addressOf, goTo, parametersOf, useAddress, viewOf } from './shell/address.ts';
import { Link } from './shell/link.tsx';
import type { Session } from './shell/session.ts';
import { SignIn } from './shell/sign-in.tsx';

const titles = { roster: 'Roster', overview: 'Overview' } as const;

export function Console() {
  const address = useAddress();
  const view = viewOf(address);
  const [session, setSession] = useState<Session | null>(null);
  const [tally, setTally] = useState<Tally | null>(null);
  const [notice, setNotice] = useState<string | null>(null);

  const end = useCallback((why: string | null) => {
    setSession(null);
    setTally(null);
    setNotice(why);
  }, []);
  const signOut = () => {
    end('You are signed out.');
    goTo(addressOf('roster'), { replace: true });
  };
  const keyRefused = useCallback(() => end('The admin key is no longer valid. Sign in with another.'), [end]);

  useEffect(() => {
    document.title = `${session ? titles[view] : 'Sign in'} · Keyroster`;
  }, [session, view]);

  if (!session) {
    const begin = (begun: Session) => {
      setNotice(null);
      setSession(begun);
    };
    return <SignIn notice={notice} onSignIn={begin} />;
  }
  return (
    <>
      <Header view={view} organizationId={session.organizationId} onSignOut={signOut} />
      <main id="content" tabIndex={-1}>
        {view === 'roster' ? (
          <RosterView session={session} parameters={parametersOf(address)} onKeyRefused={keyRefused} />
        ) : (
          <OverviewView session={session} tally={tally} onTally={setTally} onKeyRefused={keyRefused} />
        )}
      </main>
    </>
  );
}

interface HeaderProps {
  readonly view: keyof typeof titles;
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
        {(['roster', 'overview'] as const).map(each => (
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
