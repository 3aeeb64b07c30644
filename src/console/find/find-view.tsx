import { useEffect } from 'preact/hooks';
import { questionOf, questionText } from '../../admin/find/question.ts';
import { ErrorNotice } from '../shell/error-notice.tsx';
import { useChanges } from '../shell/observable.ts';
import { FindField } from './find-field.tsx';
import type { Finder } from './finder.ts';
import { SearchResult } from './results.tsx';

/** Looks for a key by what a person has of it. */
export function FindView({ finder }: { readonly finder: Finder }) {
  useChanges(finder);
  useEffect(() => {
    finder.learn();
  }, [finder]);
  const { current, known, failure } = finder;
  if (known === null)
    return (
      <>
        <h1 class="title">Find a key</h1>
        {failure ? (
          <ErrorNotice error={failure} onRetry={() => finder.learn()} />
        ) : (
          <p class="loading muted">Looking at the newest keys…</p>
        )}
      </>
    );
  const [newestHint] = known.hints;
  return (
    <>
      <h1 class="title">Find a key</h1>
      <FindField
        asked={current && current.question.kind !== 'key' ? questionText(current.question) : ''}
        questionOf={text => questionOf(text, known)}
        onAsk={question => finder.ask(question)}
      />
      <p id="find-note" class="muted small">
        A hint is the beginning and the end of a key
        {newestHint && (
          <>
            , such as <code>{newestHint}</code>
          </>
        )}
        , or its last characters. A full key is never sent or kept: paste it, and only its hint is looked for.
      </p>
      {current && <SearchResult key={questionText(current.question)} search={current} />}
    </>
  );
}
