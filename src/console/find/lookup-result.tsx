import { useEffect } from 'preact/hooks';
import { questionText } from '../../find/question.ts';
import { announce } from '../shell/announce.ts';
import { ErrorNotice } from '../shell/error-notice.tsx';
import type { Finder } from './finder.ts';
import { FoundKeys } from './found-keys.tsx';
import type { IdLookup } from './id-lookup.ts';

/** The key that has an ID. */
export function LookupResult({ lookup, finder }: { readonly lookup: IdLookup; readonly finder: Finder }) {
  const { state, question } = lookup;
  const id = questionText(question);
  useEffect(() => {
    if (state.kind === 'found') announce('The key with this ID is found');
  }, [state.kind]);
  switch (state.kind) {
    case 'loading':
      return <p class="loading muted">Looking for this ID…</p>;
    case 'failed':
      return <ErrorNotice error={state.error} onRetry={() => lookup.run()} />;
    case 'unknown':
      return (
        <div class="empty">
          <p role="status">
            No key of this organization has the ID <code>{id}</code>.
          </p>
          <button type="button" onClick={() => finder.ask({ kind: 'text', text: id })}>
            Look for it in names
          </button>
        </div>
      );
    case 'found':
      return <FoundKeys question={question} found={[state.found]} exact={[state.found]} />;
  }
}
