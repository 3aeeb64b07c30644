import { useEffect, useMemo, useState } from 'preact/hooks';
import { MAX_KEPT } from '../../admin/find/found-keys.ts';
import { maskText, shownMasks } from '../../admin/find/mask.ts';
import { mayMiss, type Question, questionText } from '../../admin/find/question.ts';
import { announce } from '../shell/announce.ts';
import { useChanges } from '../shell/observable.ts';
import { keysText, numberText } from '../walk/keys-text.ts';
import { WalkProgress } from '../walk/walk-progress.tsx';
import type { Finder, RosterSearch } from './finder.ts';
import { FoundKeys } from './found-keys.tsx';

/** So many rows are drawn at once: many more would hold up the page. */
const STEP = 100;

/** What a search has found so far. */
export function SearchResult({ search, finder }: { readonly search: RosterSearch; readonly finder: Finder }) {
  const { question, walk, found } = search;
  const { all, exact, count, maybe } = found;
  useChanges(walk);
  const isComplete = walk.state.kind === 'complete';
  const isRunning = walk.state.kind === 'running';
  useEffect(() => {
    if (!isRunning || count > 0) announce(`${keysText(count)} found${isRunning ? ' so far' : ''}`);
  }, [walk, isRunning, count > 0]);

  const [limit, setLimit] = useState(STEP);
  const shown = Math.min(limit, all.length);
  // Not rendered again while there is nothing more to show.
  const keys = useMemo(
    () => <FoundKeys question={question} found={all.slice(0, shown)} exact={exact} maybe={maybe} />,
    [search, shown, exact.length, maybe],
  );

  return (
    <section aria-label="Result">
      <KeyNotice question={question} />
      <WalkProgress what={`Looking for ${questionText(question)}`} walk={walk} />
      {(count > 0 || isComplete) && (
        <div class="title">
          <p>
            <strong>{keysText(count)}</strong> found for <bdi class="asked">{questionText(question)}</bdi>{' '}
            {isComplete ? 'among' : 'so far, among'} {numberText(walk.read)}
            {count > MAX_KEPT && `. The newest ${MAX_KEPT} of them are listed`}.
          </p>
          {isComplete && (
            <button type="button" class="small end" onClick={() => finder.ask(question)}>
              Look again
            </button>
          )}
        </div>
      )}
      {isComplete && count === 0 && <NothingFound question={question} read={walk.read} />}
      {count > 0 && keys}
      {shown < all.length && (
        <button type="button" onClick={() => setLimit(shown + STEP)}>
          Show more
        </button>
      )}
    </section>
  );
}

/** What became of a full key that was pasted. */
function KeyNotice({ question }: { readonly question: Question }) {
  if (question.kind !== 'key') return null;
  const { sure } = question;
  const masks = shownMasks(question.masks);
  const unclear =
    question.unclear &&
    'Of some of what the scanner found nothing can be told: it is redacted or hashed, or its form is not known.';
  if (masks.length === 0)
    return (
      <p class="notice" role="status">
        {unclear}
      </p>
    );
  const [what, hints] = masks.length === 1 ? ['a full key', 'its hint'] : ['full keys', 'their hints'];
  return (
    <p class="notice" role="status">
      <strong>
        {sure ? 'That was' : 'That looks like'} {what}.
      </strong>{' '}
      It was not sent or kept. Looking for {hints}{' '}
      {masks.map((mask, index) => (
        <span key={maskText(mask)}>
          {index > 0 && ', '}
          <code>{maskText(mask)}</code>
        </span>
      ))}
      {!sure && ', and an ID or a name that begins and ends so'}.{unclear && ` ${unclear}`}
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
