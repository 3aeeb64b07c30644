import { type Known, knownOf, SAMPLE_SIZE } from '../../find/known.ts';
import type { Question } from '../../find/question.ts';
import { checkedRecords } from '../walk/walk.ts';
import { IdLookup, RosterSearch, type SearchSource } from './searches.ts';

/** The search of a session. It goes on when the view is left. Of a full key it has no more than its hint. */
export class Finder {
  /** `null` until the newest keys are there: before that nobody can tell an ID from a key. */
  known: Known | null = null;
  /** Why the newest keys can't be had. */
  failure: unknown = null;
  current: RosterSearch | IdLookup | null = null;
  readonly #session: SearchSource;
  #learning: Promise<void> | null = null;
  readonly #controller = new AbortController();
  readonly #listeners = new Set<() => void>();

  constructor(session: SearchSource) {
    this.#session = session;
  }

  /** Looks at the newest keys, unless it has. */
  learn(): Promise<void> {
    this.#learning ??= this.#learn().finally(() => {
      if (this.known === null) this.#learning = null;
      this.#tell();
    });
    return this.#learning;
  }

  async #learn(): Promise<void> {
    const { signal } = this.#controller;
    const { client, seenIds } = this.#session;
    try {
      const { data } = await client.apiKeys.list({ limit: SAMPLE_SIZE }, { signal });
      const sample = checkedRecords(data);
      seenIds.add(sample);
      this.known = knownOf(sample);
      this.failure = null;
    } catch (error) {
      this.failure = error;
    }
  }

  /** Begins to look for this, instead of for what is looked for. */
  ask(question: Question): void {
    this.current?.stop();
    this.current =
      question.kind === 'id'
        ? new IdLookup(this.#session, question, () => this.#tell())
        : new RosterSearch(this.#session, question);
    this.current.run();
    this.#tell();
  }

  end(): void {
    this.#controller.abort();
    this.current?.stop();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
