import { keyById } from '../../find/key-by-id.ts';
import type { Question } from '../../find/question.ts';
import { checkedRecords } from '../walk/check-records.ts';
import type { Found } from './found.ts';
import type { SearchSource } from './search-source.ts';

export type LookupState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'found'; readonly found: Found }
  /** No key of the organization has this ID. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Goes straight to the place of an ID, which the service takes as a cursor. */
export class IdLookup {
  readonly question: Question;
  state: LookupState = { kind: 'loading' };
  readonly #session: SearchSource;
  readonly #onChange: () => void;
  readonly #controller = new AbortController();

  constructor(session: SearchSource, question: Question & { kind: 'id' }, onChange: () => void) {
    this.question = question;
    this.#session = session;
    this.#onChange = onChange;
  }

  async run(): Promise<void> {
    this.#become({ kind: 'loading' });
    try {
      const found = await this.#find();
      this.#become(found ? { kind: 'found', found } : { kind: 'unknown' });
    } catch (error) {
      this.#become({ kind: 'failed', error });
    }
  }

  stop(): void {
    this.#controller.abort();
  }

  async #find(): Promise<Found | null> {
    const { text: id } = this.question as Question & { kind: 'id' };
    const { apiKeys } = this.#session.client;
    const { signal } = this.#controller;
    const found = await keyById(parameters => apiKeys.list(parameters, { signal }), id);
    const [key] = found ? checkedRecords([found.key]) : [];
    return found && key ? { key, by: 'ID', newer: found.newer } : null;
  }

  #become(state: LookupState): void {
    if (this.#controller.signal.aborted) return;
    this.state = state;
    this.#onChange();
  }
}
