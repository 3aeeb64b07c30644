import { useEffect, useRef, useState } from 'preact/hooks';
import { ErrorNotice } from './error-notice.tsx';
import { isWrongKey, type Session, signIn } from './session.ts';

interface SignInProps {
  readonly notice: string | null;
  readonly onSignIn: (session: Session) => void;
  readonly onKeyRefused: () => void;
}

/** The field has no `name`, so that no form can submit the key, and the key isn't kept as component state. */
export function SignIn({ notice, onSignIn, onKeyRefused }: SignInProps) {
  const field = useRef<HTMLInputElement>(null);
  const [signingIn, setSigningIn] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    document.title = 'Sign in · Keyroster';
    field.current?.focus();
  }, []);

  const submit = async (event?: Event) => {
    event?.preventDefault();
    const adminKey = field.current?.value.trim();
    if (!adminKey || signingIn) return;
    setSigningIn(true);
    setError(null);
    try {
      onSignIn(await signIn(adminKey, onKeyRefused));
    } catch (thrown) {
      setError(thrown);
      setSigningIn(false);
      field.current?.select();
    }
  };
  const invalid = isWrongKey(error);

  return (
    <main class="sign-in">
      <h1>Keyroster</h1>
      <p>See the API keys of your organization.</p>
      {notice && <p role="status">{notice}</p>}
      {!isSecureContext && (
        <p class="notice error">
          <strong>This page came without TLS.</strong> Anyone who listens on the network can read the key that
          you enter here.
        </p>
      )}
      <form onSubmit={submit}>
        <label for="admin-key" class="field">
          Admin key
        </label>
        <input
          id="admin-key"
          ref={field}
          type="password"
          class="mono"
          autocomplete="off"
          spellcheck={false}
          onInput={() => setError(null)} // also ends a countdown, which would send what is typed so far
          aria-describedby="admin-key-note"
          aria-invalid={invalid || undefined}
          aria-errormessage={invalid ? 'admin-key-wrong' : undefined}
        />
        <button type="submit" class="primary" aria-disabled={signingIn}>
          {signingIn ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
      {invalid && (
        <p id="admin-key-wrong" class="notice error" role="alert">
          <strong>That is not a valid admin key.</strong> It may be mistyped, revoked or expired.
        </p>
      )}
      {error !== null && !invalid && <ErrorNotice error={error} onRetry={submit} />}
      <p id="admin-key-note" class="muted">
        The key stays in this tab's memory. It is gone when you sign out, reload or close the tab.
      </p>
    </main>
  );
}
