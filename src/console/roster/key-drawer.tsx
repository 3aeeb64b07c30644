import { useEffect, useState } from 'preact/hooks';
import type { ApiKeyRecord } from '../../client/client.ts';
import { ErrorNotice } from '../shell/error-notice.tsx';
import { Panel } from '../shell/panel.tsx';
import type { Session } from '../shell/session.ts';
import type { RosterQuery } from '../walk/query.ts';
import { KeyName } from './key-name.tsx';
import { KeyRecord } from './key-record.tsx';
import { cursorAround, loadKey } from './load-key.ts';
import { Message } from './message.tsx';

interface KeyDrawerProps {
  readonly session: Session;
  readonly id: string;
  /** The key, where the list has it. A link may open the drawer of another. */
  readonly listed: ApiKeyRecord | undefined;
  /** Of the list. */
  readonly query: RosterQuery;
  /** How many keys a page of the list has. */
  readonly limit: number;
  readonly onClose: () => void;
  /** Has the list show the page of all keys behind this cursor, which has the key. */
  readonly onShowPlace: (cursor: string | undefined) => void;
}

/** The whole record of a key, and what can be done about it. */
export function KeyDrawer({ session, id, query, listed, limit, onClose, onShowPlace }: KeyDrawerProps) {
  const [loaded, setLoaded] = useState<ApiKeyRecord | undefined>();
  const [request, setRequest] = useState<'key' | 'place' | null>(listed ? null : 'key');
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const answer = async () => {
      if (request === 'key') setLoaded(await loadKey(session.client, id, signal));
      if (request === 'place') onShowPlace(await cursorAround(session.client, id, limit, signal));
    };
    answer()
      .catch(thrown => signal.aborted || setError(thrown))
      .finally(() => signal.aborted || setRequest(null));
    return () => controller.abort();
  }, [session, id, request]);
  const ask = (what: 'key' | 'place') => {
    setError(null);
    setRequest(what);
  };

  const apiKey = listed ?? loaded;
  return (
    <Panel kind="drawer" title={apiKey ? <KeyName name={apiKey.name} /> : 'API key'} onClose={onClose}>
      {error !== null && <ErrorNotice error={error} onRetry={() => ask(apiKey ? 'place' : 'key')} />}
      {!apiKey && error === null && <p class="muted">{request ? 'Loading…' : 'There is no such key.'}</p>}
      {apiKey && (
        <>
          {/* A list that doesn't have the key may have filters that it doesn't match. */}
          <KeyRecord apiKey={apiKey} query={listed ? query : {}} />
          <p class="row">
            <button type="button" aria-disabled={request === 'place'} onClick={() => ask('place')}>
              Show it among all keys
            </button>
          </p>
          <Message apiKey={apiKey} leaked={session.leaked.has(id)} />
        </>
      )}
    </Panel>
  );
}
