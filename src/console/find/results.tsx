import { useEffect, useMemo } from 'preact/hooks';
import { type Found, type FoundKeys, MAX_KEPT } from '../../admin/find/found-keys.ts';
import { maskText, shownMasks } from '../../admin/find/mask.ts';
import { mayMiss, type Question, questionText } from '../../admin/find/question.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { KeyTable } from '../roster/key-table.tsx';
import { announce } from '../shell/announce.ts';
import { useChanges } from '../shell/observable.ts';
import { keysText, numberText } from '../walk/keys-text.ts';
import { WalkProgress } from '../walk/walk-progress.tsx';
import type { RosterSearch } from './finder.ts';

/** What a search has found so far. */
export function SearchResult({ search }: { readonly search: RosterSearch }) {
  const { question, walk, found } = search;
  const { all, exact, count, maybe } = found;
  useChanges(walk);
  const isComplete = walk.state.kind === 'complete';
  const isRunning = walk.state.kind === 'running';
  useEffect(() => {
    if (!isRunning || count > 0) announce(`${keysText(count)} found${isRunning ? ' so far' : ''}`);
  }, [walk, isRunning, count > 0]);

  // Not rendered again while there is nothing more to show.
  const keys = useMemo(() => <FoundTable found={found} />, [search, all.length, exact.length, maybe]);

  return (
    <section aria-label="Result">
      <KeyNotice question={question} />
      <WalkProgress what={`Looking for ${questionText(question)}`} walk={walk} />
      {(count > 0 || isComplete) && (
        <div class="title">
          <p>
            <strong>{keysText(count)}</strong> found for <bdi class="name">{questionText(question)}</bdi>{' '}
            {isComplete ? 'among' : 'so far, among'} {numberText(walk.read)}
            {count > MAX_KEPT && `. The newest ${MAX_KEPT} of them are listed`}.
          </p>
        </div>
      )}
      {isComplete && count === 0 && <NothingFound question={question} read={walk.read} />}
      {count > 0 && keys}
    </section>
  );
}

function FoundTable({ found: { all, exact, maybe } }: { readonly found: FoundKeys<ApiKeyRecord> }) {
  /** All keys from this one on. */
  const queryFrom = ({ newer }: Found) => (newer === null ? {} : { after_id: newer });
  return (
    <>
      {exact.length > 1 && (
        <p>
          <strong>More than one key fits:</strong> names, creators and dates tell which one it is.
        </p>
      )}
      {maybe > 0 && (
        <p>
          <strong>{keysText(maybe)} by one end alone:</strong> it may be the key, where the text was cut off,
          or another one.
        </p>
      )}
      <KeyTable
        caption="Keys that were found, newest first"
        rows={all.map(each => ({ apiKey: each.key, query: queryFrom(each), isOpen: false }))}
      />
    </>
  );
}

/** What became of a full key that was pasted. */
function KeyNotice({ question }: { readonly question: Question }) {
  if (question.kind !== 'key') return null;
  const masks = shownMasks(question.masks);
  const [what, hints] = masks.length === 1 ? ['a full key', 'its hint'] : ['full keys', 'their hints'];
  return (
    <p class="notice" role="status">
      {masks.length > 0 && (
        <>
          <strong>That looks like {what}.</strong> It was not sent or kept. Looking for {hints}, and for IDs
          and names that begin and end so:{' '}
        </>
      )}
      {masks.map((mask, index) => (
        <span key={maskText(mask)}>
          {index > 0 && ', '}
          <code>{maskText(mask)}</code>
        </span>
      ))}
      {question.unclear.length > 0 &&
        ' Of some of what the scanner found nothing can be told: it is redacted or hashed, or its form is not known.'}
    </p>
  );
}

function NothingFound({ question, read }: { readonly question: Question; readonly read: number }) {
  const isUnclear = mayMiss(question);
  const isOfKey = question.kind === 'key' || question.kind === 'hint';
  return (
    <div class="empty">
      <p>
        {isUnclear
          ? 'Nothing can be told: what was looked for is cut off, redacted or hashed, or in a form that is not known.'
          : isOfKey
            ? 'No key that your admin key sees has this hint. It may be of another part or another organization, or an admin key.'
            : 'No key that your admin key sees has this in its name, as its ID, or at the beginning or end of its hint.'}
      </p>
      <p>
        The roster was read up to now: {keysText(read)}. A key that is written into it later is not among
        them.
      </p>
    </div>
  );
}
