import { KeyrosterError } from '../../client/client.ts';
import type { Question } from '../../find/question.ts';
import type { Session } from '../shell/session.ts';
import { checkedRecords } from '../walk/check-records.ts';
import type { Found } from './found.ts';

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
  readonly #session: Session;
  readonly #onChange: () => void;
  readonly #controller = new AbortController();

  constructor(session: Session, question: Question & { kind: 'id' }, onChange: () => void) {
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
      const isUnknown = error instanceof KeyrosterError && error.type === 'invalid_request_error';
      this.#become(isUnknown ? { kind: 'unknown' } : { kind: 'failed', error });
    }
  }

  stop(): void {
    this.#controller.abort();
  }

  /** The next newer key is the cursor behind which the list begins with this one, unless another is made in between. */
  async #find(): Promise<Found | null> {
    const { text: id } = this.question as Question & { kind: 'id' };
    const list = this.#session.client.apiKeys.list.bind(this.#session.client.apiKeys);
    const { signal } = this.#controller;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const newer = (await list({ before_id: id, limit: 1 }, { signal })).last_id;
      const after = newer === null ? {} : { after_id: newer };
      const { data } = await list({ ...after, limit: 1 }, { signal });
      const [key] = checkedRecords(data);
      if (key?.id === id) return { key, by: 'ID', newer };
    }
    return null;
  }

  #become(state: LookupState): void {
    if (this.#controller.signal.aborted) return;
    this.state = state;
    this.#onChange();
  }
}

const MAX_ATTEMPTS = 5;
