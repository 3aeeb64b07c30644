import { type Known, knownOf } from '../../find/known.ts';
import { type OwnerIds, type Question, questionOf, questionText } from '../../find/question.ts';
import { checkedRecords } from '../walk/check-records.ts';
import { IdLookup } from './id-lookup.ts';
import { RosterSearch } from './roster-search.ts';
import type { SearchSource } from './search-source.ts';

/** Nothing is sent or read for the ID of a creator or a workspace. */
type OwnerAnswer = { readonly question: Question & { kind: 'owner' } };
export type Search = RosterSearch | IdLookup | OwnerAnswer;

/** As many as a person remembers; each has up to 500 records. */
const MAX_REMEMBERED = 8;
/** Enough to know IDs and hints of a roster by their form. */
const SAMPLE_SIZE = 100;

/** The searches of a session. They go on when the view is left. Of a full key they have no more than its hint. */
export class Finder {
  known: Known = knownOf([]);
  /** The newest first. */
  searches: readonly Search[] = [];
  current: Search | null = null;
  readonly #session: SearchSource;
  #learned: Promise<void> | null = null;
  readonly #controller = new AbortController();
  readonly #listeners = new Set<() => void>();

  constructor(session: SearchSource) {
    this.#session = session;
  }

  /** Of the creators and workspaces that this session has seen. */
  get ownerIds(): OwnerIds {
    const { creators, workspaces } = this.#session.seenIds;
    return { creator: creators, workspace: workspaces };
  }

  /** Looks at the newest keys. Until it has, nothing counts as an ID, and what may be a key of some roster counts as one. */
  learn(): Promise<void> {
    const { signal } = this.#controller;
    this.#learned ??= this.#session.client.apiKeys
      .list({ limit: SAMPLE_SIZE }, { signal })
      .then(({ data }) => {
        const sample = checkedRecords(data);
        this.#session.seenIds.add(sample);
        this.#know(knownOf(sample));
      })
      .catch(() => {
        this.#learned = null; // The next search tries again, and tells of what is wrong.
      });
    return this.#learned;
  }

  /** Of a text that turns out to be a key of this roster nothing but the hint is kept. */
  #know(known: Known): void {
    this.known = known;
    for (const search of this.searches) {
      const { kind } = search.question;
      if (kind !== 'text' && kind !== 'hint') continue;
      const question = questionOf(questionText(search.question), known, this.ownerIds);
      if (question?.kind !== 'key') continue;
      stop(search);
      this.searches = this.searches.filter(each => each !== search);
      if (this.current === search) this.ask(question);
    }
    this.#tell();
  }

  /** Begins to look for this, instead of for what is looked for. Forgets an earlier search for the same words. */
  ask(question: Question): void {
    this.learn();
    if (this.current instanceof RosterSearch) stop(this.current);
    const search = this.#searchFor(question);
    const text = questionText(question);
    const others = this.searches.filter(each => questionText(each.question) !== text);
    const remembered = [search, ...others].slice(0, MAX_REMEMBERED);
    for (const each of this.searches) if (!remembered.includes(each)) stop(each);
    this.searches = remembered;
    if (search instanceof IdLookup) search.run();
    if (search instanceof RosterSearch) search.walk.run();
    this.show(search);
  }

  #searchFor(question: Question): Search {
    switch (question.kind) {
      case 'id':
        return new IdLookup(this.#session, question, () => this.#tell());
      case 'owner':
        return { question };
      default:
        return new RosterSearch(this.#session, question);
    }
  }

  show(search: Search): void {
    this.current = search;
    this.#tell();
  }

  end(): void {
    this.#controller.abort();
    for (const search of this.searches) stop(search);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function stop(search: Search): void {
  if (search instanceof IdLookup) search.stop();
  if (search instanceof RosterSearch) search.walk.stop();
}
