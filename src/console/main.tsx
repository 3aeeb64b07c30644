import { render } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import type { Session } from './shell/session.ts';
import { SignIn } from './shell/sign-in.tsx';
import { SignedIn } from './signed-in.tsx';

function Console() {
  const [session, setSession] = useState<Session | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const end = useCallback((why: string) => {
    setSession(null);
    setNotice(why);
  }, []);
  const keyRefused = useCallback(() => end('The admin key is no longer valid. Sign in with another.'), [end]);

  if (!session) return <SignIn notice={notice} onSignIn={setSession} onKeyRefused={keyRefused} />;
  return <SignedIn session={session} onSignOut={() => end('You are signed out.')} />;
}

const root = document.getElementById('console');
if (root) render(<Console />, root);
