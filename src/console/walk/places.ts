/** A key, by which a walk can begin or go on: the service takes its ID as a cursor. */
export interface Place {
  readonly created_at: string;
  readonly id: string;
}

/**
 * Where keys of some ages are, as walks of this session saw them: one for each page, so at most a thousand for a million keys. A list
 * of old keys begins at one of them instead of at the newest key.
 */
export class Places {
  /** Newest first. */
  #all: Place[] = [];

  /** @param page of a walk: its last key becomes a place. */
  add(page: readonly Place[]): void {
    const place = page.at(-1);
    if (!place) return;
    const index = this.#firstNotNewer(place.created_at);
    if (this.#all[index]?.created_at === place.created_at) return;
    this.#all.splice(index, 0, { created_at: place.created_at, id: place.id });
  }

  /** The oldest known key that isn't older than this; `undefined`: no such key is known. */
  lastNotBefore(time: string): Place | undefined {
    const index = this.#firstNotNewer(time);
    return this.#all[index]?.created_at === time ? this.#all[index] : this.#all[index - 1];
  }

  /** The key is gone: no request can name it any more. */
  forget(id: string): void {
    this.#all = this.#all.filter(place => place.id !== id);
  }

  #firstNotNewer(time: string): number {
    let [low, high] = [0, this.#all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#all[middle]?.created_at ?? '') > time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
