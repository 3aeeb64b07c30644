import { useEffect, useState } from 'preact/hooks';
import { type KeyAtPlace, keyById } from '../../admin/find/key-by-id.ts';
import { NOBODY, recipientOf } from '../../admin/report/messages.ts';
import { checkedRecords } from '../../admin/report/readable-record.ts';
import type { ApiKeyRecord, ListParameters } from '../../client/client.ts';
import { useDirectory } from '../people/names.tsx';
import { rosterAddress } from '../shell/address.ts';
import { ErrorNotice } from '../shell/error-notice.tsx';
import { Link } from '../shell/link.tsx';
import { Panel } from '../shell/panel.tsx';
import type { Session } from '../shell/session.ts';
import type { RosterQuery } from '../walk/query.ts';
import { KeyName } from './key-name.tsx';
import { KeyRecord } from './key-record.tsx';
import { Message } from './message.tsx';
import { messageToCreator } from './message-to-creator.ts';

interface KeyDrawerProps {
  readonly session: Session;
  readonly id: string;
  /** The key, where the list has it. A link may open the drawer of another. */
  readonly listed: ApiKeyRecord | undefined;
  /** Of the list. */
  readonly query: RosterQuery;
  readonly onClose: () => void;
}

/** The whole record of a key, and what can be done about it. */
export function KeyDrawer({ session, id, query, listed, onClose }: KeyDrawerProps) {
  /** `null`: there is no such key. */
  const [loaded, setLoaded] = useState<KeyAtPlace | null>();
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (listed) return;
    const controller = new AbortController();
    const { signal } = controller;
    const load = async () => {
      const { apiKeys } = session.client;
      const asking = {
        list: (parameters: ListParameters) => apiKeys.list(parameters, { signal }),
        pages: (parameters: ListParameters) => apiKeys.pages(parameters, { signal }),
      };
      const found = await keyById(asking, id);
      if (found) checkedRecords([found.key]);
      setLoaded(found);
    };
    setError(null);
    load().catch(thrown => signal.aborted || setError(thrown));
    return () => controller.abort();
  }, [session, id, attempt]);

  const apiKey = listed ?? loaded?.key;
  const around = { now: new Date(), directory: useDirectory() };
  return (
    <Panel title={apiKey ? <KeyName name={apiKey.name} /> : 'API key'} onClose={onClose}>
      {error !== null && <ErrorNotice error={error} onRetry={() => setAttempt(attempt + 1)} />}
      {!apiKey && error === null && (
        <p class="muted">{loaded === null ? 'There is no such key.' : 'Loading…'}</p>
      )}
      {apiKey && (
        <>
          {/* A list that doesn't have the key may have filters that it doesn't match. */}
          <KeyRecord apiKey={apiKey} query={listed ? query : {}} />
          {!listed && loaded && (
            <p>
              <Link to={rosterAddress(loaded.newer === null ? {} : { after_id: loaded.newer })}>
                Show it among all keys
              </Link>
            </p>
          )}
          <Message
            title={`A message to ${recipientOf(apiKey, around) || NOBODY}`}
            text={messageToCreator(apiKey, session.leaked.has(id), around)}
          />
        </>
      )}
    </Panel>
  );
}
