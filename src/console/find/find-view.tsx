import { useEffect, useMemo } from 'preact/hooks';
import { questionOf, questionText } from '../../admin/find/question.ts';
import { ErrorNotice } from '../shell/error-notice.tsx';
import { useChanges } from '../shell/observable.ts';
import type { WorklistCount } from '../worklist/worklist-count.ts';
import { FindField } from './find-field.tsx';
import type { Finder } from './finder.ts';
import { SearchResult } from './results.tsx';

interface FindViewProps {
  readonly finder: Finder;
  /** Which knows IDs of creators and workspaces. */
  readonly count: WorklistCount | null;
}

/** Looks for a key by what a person has of it. */
export function FindView({ finder, count }: FindViewProps) {
  useChanges(finder);
  useEffect(() => {
    finder.learn();
  }, [finder]);
  const { current, known, failure } = finder;
  const owners = useMemo(() => {
    const { workspaces = [], creators = [] } = count?.figures.ids() ?? {};
    return new Set([...(known?.owners ?? []), ...creators, ...workspaces]);
  }, [known, count, count?.total]);
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
        questionOf={text => questionOf(text, { ...known, owners })}
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
      {current && <SearchResult key={questionText(current.question)} search={current} finder={finder} />}
    </>
  );
}
