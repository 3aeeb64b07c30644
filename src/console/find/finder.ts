import type { Session } from '../shell/session.ts';
import { IdLookup } from './id-lookup.ts';
import { type Known, knownOf } from './known.ts';
import { type Question, questionText } from './question.ts';
import { RosterSearch } from './roster-search.ts';

export type Search = RosterSearch | IdLookup;

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
  readonly #session: Session;
  #learned: Promise<void> | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Looks at the newest keys. Until it has, or if it fails, nothing counts as an ID: all is looked for in the page. */
  learn(): Promise<void> {
    this.#learned ??= this.#session.client.apiKeys.list({ limit: SAMPLE_SIZE }).then(
      ({ data }) => {
        this.known = knownOf(data);
        this.#tell();
      },
      () => {
        this.#learned = null;
      },
    );
    return this.#learned;
  }

  /** Begins to look for this, instead of for what is looked for. Forgets an earlier search for the same words. */
  ask(question: Question): void {
    if (this.current instanceof RosterSearch) stop(this.current);
    const search =
      question.kind === 'id'
        ? new IdLookup(this.#session, question, () => this.#tell())
        : new RosterSearch(this.#session, question);
    const text = questionText(question);
    const others = this.searches.filter(each => questionText(each.question) !== text);
    const remembered = [search, ...others].slice(0, MAX_REMEMBERED);
    for (const each of this.searches) if (!remembered.includes(each)) stop(each);
    this.searches = remembered;
    if (search instanceof IdLookup) search.run();
    else search.walk.run();
    this.show(search);
  }

  show(search: Search): void {
    this.current = search;
    this.#tell();
  }

  end(): void {
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
  else search.walk.stop();
}
