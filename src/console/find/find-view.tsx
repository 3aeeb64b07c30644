import { useEffect, useReducer } from 'preact/hooks';
import { type OwnerIds, questionOf, questionText } from '../../find/question.ts';
import type { KnownIds } from '../roster/filter-field.tsx';
import { focusRow } from '../shell/row-focus.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { FindField } from './find-field.tsx';
import type { Finder, Search } from './finder.ts';
import { IdLookup } from './id-lookup.ts';
import { LookupResult } from './lookup-result.tsx';
import { OwnerResult } from './owner-result.tsx';
import { RosterSearch } from './roster-search.ts';
import { SearchResult } from './search-result.tsx';

interface FindViewProps {
  readonly finder: Finder;
  /** The IDs of creators and workspaces that a count knows. */
  readonly counted: KnownIds;
}

/** Looks for a key by what a person has of it. */
export function FindView({ finder, counted }: FindViewProps) {
  const [, renderAgain] = useReducer<number, undefined>(count => count + 1, 0);
  useEffect(() => finder.subscribe(() => renderAgain(undefined)), [finder]);
  useEffect(() => {
    finder.learn();
  }, [finder]);
  useShortcuts({ down: () => focusRow(1), up: () => focusRow(-1) });
  const { current } = finder;
  const [newestHint] = finder.known.hints;

  return (
    <>
      <h1>Find a key</h1>
      <FindField
        asked={current && current.question.kind !== 'key' ? questionText(current.question) : ''}
        known={finder.known}
        questionOf={text => questionOf(text, finder.known, withCounted(finder.ownerIds, counted))}
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
      {current instanceof IdLookup && <LookupResult lookup={current} finder={finder} />}
      {current?.question.kind === 'owner' && <OwnerResult question={current.question} finder={finder} />}
      {current instanceof RosterSearch && (
        <SearchResult key={keyOf(current)} search={current} finder={finder} />
      )}
      <RecentSearches finder={finder} />
    </>
  );
}

function withCounted({ creator, workspace }: OwnerIds, { creators, workspaces }: KnownIds): OwnerIds {
  return {
    creator: new Set([...creator, ...creators]),
    workspace: new Set([...workspace, ...workspaces]),
  };
}

const keyOf = ({ question }: Search) => question.kind + questionText(question);

function RecentSearches({ finder }: { readonly finder: Finder }) {
  if (finder.searches.length < 2) return null;
  return (
    <section aria-labelledby="recent" class="recent">
      <h2 id="recent">Searches of this session</h2>
      <ul class="row">
        {finder.searches.map(search => (
          <li key={keyOf(search)}>
            <button
              type="button"
              class="small"
              aria-pressed={search === finder.current}
              onClick={() => finder.show(search)}
            >
              <bdi class="truncate">{questionText(search.question)}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
