import { FoundKeys } from '../../admin/find/found-keys.ts';
import type { Question } from '../../admin/find/question.ts';
import { type Known, knownOf, SAMPLE_SIZE } from '../../admin/find/roster-forms.ts';
import { checkedRecords } from '../../admin/report/readable-record.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { Observable } from '../shell/observable.ts';
import type { Session } from '../shell/session.ts';
import { type Walk, type WalkSource, walkOfQuery } from '../walk/walk.ts';

type SearchSource = WalkSource & Pick<Session, 'client' | 'seenIds' | 'leaked'>;

/** Reads the whole roster for a question: the service has no search by name or hint. */
export class RosterSearch {
  readonly question: Question;
  readonly found: FoundKeys<ApiKeyRecord>;
  readonly walk: Walk;

  constructor(session: SearchSource, question: Question) {
    this.question = question;
    const found = new FoundKeys<ApiKeyRecord>(question);
    this.found = found;
    this.walk = walkOfQuery(session, {}, keys => {
      found.look(keys);
      if (question.kind === 'key')
        for (const { key, by } of found.exact) if (by === 'hint') session.leaked.add(key.id);
    });
  }
}

/** The search of a session. It goes on when the view is left. Of a full key it has no more than its hint. */
export class Finder extends Observable {
  /** `null` until the newest keys are there: before that nobody can tell an ID from a key. */
  known: Known | null = null;
  /** Why the newest keys can't be had. */
  failure: unknown = null;
  current: RosterSearch | null = null;
  readonly #session: SearchSource;
  #learning: Promise<void> | null = null;
  readonly #controller = new AbortController();

  constructor(session: SearchSource) {
    super();
    this.#session = session;
  }

  /** Looks at the newest keys, unless it has. */
  learn(): Promise<void> {
    this.#learning ??= this.#learn().finally(() => {
      if (this.known === null) this.#learning = null;
      this.changed();
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
    this.current?.walk.stop();
    this.current = new RosterSearch(this.#session, question);
    this.current.walk.run();
    this.changed();
  }

  end(): void {
    this.#controller.abort();
    this.current?.walk.stop();
  }
}
