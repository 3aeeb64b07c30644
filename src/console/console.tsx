import { useCallback, useEffect, useState } from 'preact/hooks';
import { OverviewView } from './overview/overview-view.tsx';
import type { Tally } from './overview/tally.ts';
import { RosterView } from './roster/roster-view.tsx';
import { addressOf, goTo, parametersOf, useAddress, viewOf } from './shell/address.ts';
import { Frame } from './shell/frame.tsx';
import type { Session } from './shell/session.ts';
import { SignIn } from './shell/sign-in.tsx';
import { views } from './shell/views.ts';

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
    document.title = `${session ? views[view].title : 'Sign in'} · Keyroster`;
  }, [session, view]);

  if (!session) {
    const begin = (begun: Session) => {
      setNotice(null);
      setSession(begun);
    };
    return <SignIn notice={notice} onSignIn={begin} />;
  }
  return (
    <Frame view={view} organizationId={session.organizationId} onSignOut={signOut}>
      {view === 'roster' ? (
        <RosterView session={session} parameters={parametersOf(address)} onKeyRefused={keyRefused} />
      ) : (
        <OverviewView session={session} tally={tally} onTally={setTally} onKeyRefused={keyRefused} />
      )}
    </Frame>
  );
}
