import type { ApiKeyRecord } from '../../client/client.ts';

/** A filter that the operation doesn't have. */
export interface FilterPart {
  readonly matches: (key: ApiKeyRecord) => boolean;
  /** In this direction nothing matches behind the first key that doesn't, so that a walk can end there. */
  readonly ends?: 'forwards' | 'backwards';
}

export const inDefaultWorkspace: FilterPart = { matches: ({ workspace_id }) => workspace_id === null };

/** Is applied to the keys that were read. */
export class LocalFilter {
  readonly #parts: readonly FilterPart[];

  constructor(parts: readonly FilterPart[]) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  readonly matches = (key: ApiKeyRecord): boolean => this.#parts.every(({ matches }) => matches(key));

  /** Whether no key behind this page can match. */
  isPast(page: readonly ApiKeyRecord[], isBackward: boolean): boolean {
    const direction = isBackward ? 'backwards' : 'forwards';
    const ending = this.#parts.filter(({ ends }) => ends === direction);
    return ending.some(({ matches }) => !page.every(matches));
  }
}
