import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Session } from './shell/session.ts';
import { SignIn } from './shell/sign-in.tsx';
import type { SignedIn } from './signed-in.tsx';

/** The views come while the admin key is entered, so that sign-in needn't wait for them. */
const loading = import('./signed-in.tsx').catch(() => 'missing' as const);

export function Console() {
  const [session, setSession] = useState<Session | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const [views, setViews] = useState<{ SignedIn: typeof SignedIn } | 'missing' | null>(null);
  useEffect(() => {
    loading.then(setViews);
  }, []);
  const end = useCallback((why: string | null) => {
    setSession(null);
    setNotice(why);
  }, []);
  const keyRefused = useCallback(() => end('The admin key is no longer valid. Sign in with another.'), [end]);

  if (views === 'missing') return <Missing />;
  if (!session) return <SignIn notice={notice} onSignIn={setSession} onKeyRefused={keyRefused} />;
  if (views === null) return <p class="loading muted">Loading…</p>;
  return <views.SignedIn session={session} onSignOut={() => end('You are signed out.')} />;
}

/** A browser loads a file that failed not again before the page is reloaded. */
function Missing() {
  return (
    <main class="sign-in">
      <div class="notice error">
        <p role="alert">
          <strong>A part of the console could not be loaded.</strong> The network failed, or the service was
          updated just now.
        </p>
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    </main>
  );
}
