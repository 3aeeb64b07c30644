import type { KeyrosterClient } from '../../client/client.ts';
import { type Found, FoundKeys } from '../../find/found-keys.ts';
import { keyById } from '../../find/key-by-id.ts';
import type { Question } from '../../find/question.ts';
import type { SeenIds } from '../walk/seen-ids.ts';
import { checkedRecords, type Walk } from '../walk/walk.ts';
import { type WalkSource, walkOfQuery } from '../walk/walk-of-query.ts';

/** What a search needs of a session. */
export interface SearchSource extends WalkSource {
  /** Without retries: a view shows the error, with a button to try again. */
  readonly client: KeyrosterClient;
  /** For the pick lists of the filters. */
  readonly seenIds: SeenIds;
  /** The IDs of keys that were found by a full key: so it is known outside of where it is used. */
  readonly leaked: Set<string>;
}

/** Reads the whole roster for a question: the service has no search by name or hint. */
export class RosterSearch {
  readonly question: Question;
  readonly found: FoundKeys;
  readonly walk: Walk;

  constructor(session: SearchSource, question: Question) {
    this.question = question;
    const found = new FoundKeys(question);
    this.found = found;
    this.walk = walkOfQuery(session, {}, keys => {
      found.look(keys);
      if (question.kind === 'key')
        for (const { key, by } of found.exact) if (by === 'hint') session.leaked.add(key.id);
      return false;
    });
  }

  async run(): Promise<void> {
    await this.walk.run();
  }

  stop(): void {
    this.walk.stop();
  }
}

export type LookupState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'found'; readonly found: Found }
  /** No key of the organization has this ID. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Goes straight to the place of an ID, which the service takes as a cursor. */
export class IdLookup {
  readonly question: Question & { readonly kind: 'id' };
  state: LookupState = { kind: 'loading' };
  readonly #session: SearchSource;
  readonly #onChange: () => void;
  readonly #controller = new AbortController();

  constructor(session: SearchSource, question: Question & { readonly kind: 'id' }, onChange: () => void) {
    this.question = question;
    this.#session = session;
    this.#onChange = onChange;
  }

  async run(): Promise<void> {
    this.#become({ kind: 'loading' });
    const { apiKeys } = this.#session.client;
    const { signal } = this.#controller;
    try {
      const found = await keyById(parameters => apiKeys.list(parameters, { signal }), this.question.text);
      if (found) checkedRecords([found.key]);
      this.#become(found ? { kind: 'found', found: { ...found, by: 'ID' } } : { kind: 'unknown' });
    } catch (error) {
      this.#become({ kind: 'failed', error });
    }
  }

  stop(): void {
    this.#controller.abort();
  }

  #become(state: LookupState): void {
    if (this.#controller.signal.aborted) return;
    this.state = state;
    this.#onChange();
  }
}
