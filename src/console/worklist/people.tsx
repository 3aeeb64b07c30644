import { useEffect, useMemo, useState } from 'preact/hooks';
import { coverageText } from '../../admin/directory/directory.ts';
import type { Breach } from '../../admin/report/breaches.ts';
import type { Creator } from '../../admin/report/creator.ts';
import { Messages, NOBODY } from '../../admin/report/messages.ts';
import { dayText } from '../../admin/report/sections.ts';
import { CreatorType, PersonName } from '../people/names.tsx';
import { Entry } from '../roster/key-record.tsx';
import { Message } from '../roster/message.tsx';
import { useChanges } from '../shell/observable.ts';
import { Panel } from '../shell/panel.tsx';
import type { Session } from '../shell/session.ts';
import { numberText } from '../walk/keys-text.ts';
import { ANY_POLICY } from '../walk/query.ts';
import { walkOfQuery } from '../walk/walk.ts';
import { WalkProgress } from '../walk/walk-progress.tsx';
import { NumberRow } from './numbers.tsx';
import type { WorklistCount } from './worklist-count.ts';

/** So many rows are drawn at once. */
const STEP = 100;

/** Whose keys break a policy, those with the most keys first. */
export function People({ session, count }: { readonly session: Session; readonly count: WorklistCount }) {
  const { directory, gave } = session.desk;
  const [limit, setLimit] = useState(STEP / 5);
  const [opened, setOpened] = useState<Creator | null>(null);
  const people = count.people(limit);
  const more = Math.min(people.total - limit, STEP);
  return (
    <section class="card people" aria-label="By person">
      <h2>
        By person{' '}
        <small>
          {directory.size === 0
            ? 'open your directory file for names: it is never sent'
            : coverageText(count.figures.people(directory).directory)}
        </small>
      </h2>
      {gave.map(text => (
        <p key={text} class="muted small">
          {text}
        </p>
      ))}
      <ul>
        {people.first.map(({ creator: { id, type }, keys }) => (
          <NumberRow
            key={type + id}
            keys={keys}
            label={<PersonName id={id} type={type} />}
            shows={{ created_by_user_id: id, creator_type: type, ...session.desk.breaking(ANY_POLICY) }}
          >
            <p class="muted small">{directory.creator(id)?.team}</p>
            <button type="button" class="quiet small" onClick={() => setOpened({ id, type })}>
              Message
            </button>
          </NumberRow>
        ))}
      </ul>
      {more > 0 && (
        <button type="button" class="small" onClick={() => setLimit(limit + more)}>
          Show {numberText(more)} more
        </button>
      )}
      {opened && <PersonPanel session={session} creator={opened} onClose={() => setOpened(null)} />}
    </section>
  );
}

/** A longer message nobody reads: the list to revoke has all keys. */
const MAX_IN_MESSAGE = 200;

interface PersonPanelProps {
  readonly session: Session;
  readonly creator: Creator;
  readonly onClose: () => void;
}

/** Who it is, and one message for all of their keys that break a policy. These keys are read when the panel opens. */
function PersonPanel({ session, creator: { id, type }, onClose }: PersonPanelProps) {
  const { directory, brokenBy } = session.desk;
  const [breaches, walk] = useMemo(() => {
    const found: Breach[] = [];
    const query = { created_by_user_id: id, creator_type: type, breaks: ANY_POLICY };
    const read = walkOfQuery(session, query, keys => {
      for (const key of keys) found.push({ key, policies: brokenBy(key) });
      return found.length > MAX_IN_MESSAGE;
    });
    return [found, read] as const;
  }, []);
  useChanges(walk);
  useEffect(() => {
    walk.run();
    return () => walk.stop();
  }, []);
  const { mail, team, manager, leftOn } = directory.creator(id) ?? {};
  const messages = new Messages({ now: new Date(), directory });
  for (const breach of breaches.slice(0, MAX_IN_MESSAGE)) messages.add(breach);
  const [message] = messages.all();
  return (
    <Panel title={directory.creatorName(id)} onClose={onClose}>
      <dl class="record">
        <Entry term="ID" copied={id}>
          <CreatorType type={type} />
        </Entry>
        {mail && <Entry term="Mail" copied={mail} />}
        {team && <Entry term="Team">{team}</Entry>}
        {manager && <Entry term="Manager">{manager}</Entry>}
        {leftOn && <Entry term="Left on">{dayText(leftOn)}</Entry>}
      </dl>
      <WalkProgress what="Reading their keys" walk={walk} />
      {walk.state.kind === 'complete' && message && (
        <Message title={`One message for all of their keys, to ${message.to || NOBODY}`} text={message.text}>
          {breaches.length > MAX_IN_MESSAGE && (
            <p class="muted small">It has the newest {MAX_IN_MESSAGE}: the list to revoke has all of them.</p>
          )}
        </Message>
      )}
    </Panel>
  );
}
