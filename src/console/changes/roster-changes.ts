import { type Change, changesOf, KINDS, type Kind } from '../../admin/saved/changes.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { type Walk, type WalkSource, walkOfQuery } from '../walk/walk.ts';

/** Of each kind so many are kept to be shown; the others are counted. */
export const MAX_SHOWN = 500;

/** How the roster differs from one that was saved: a walk, which takes each key that it finds out of those that may be gone. */
export class RosterChanges {
  /** The name of its file. */
  readonly file: string;
  readonly saved: number;
  readonly walk: Walk;
  readonly counts = Object.fromEntries(KINDS.map(kind => [kind, 0])) as Record<Kind, number>;
  /** Newest key first; those that are gone, which are known once all are read, come last. */
  readonly shown: Change[] = [];

  constructor(source: WalkSource, file: string, saved: Map<string, ApiKeyRecord>) {
    this.file = file;
    this.saved = saved.size;
    this.walk = walkOfQuery(source, {}, keys => {
      for (const key of keys) {
        this.#add(saved.get(key.id) ?? null, key);
        saved.delete(key.id);
      }
      return false;
    });
    this.walk.subscribe(() => {
      if (this.walk.state.kind !== 'complete') return;
      for (const record of saved.values()) this.#add(record, null);
      saved.clear();
    });
  }

  #add(old: ApiKeyRecord | null, current: ApiKeyRecord | null): void {
    for (const change of changesOf(old, current)) {
      this.counts[change.kind] += 1;
      if (this.counts[change.kind] <= MAX_SHOWN) this.shown.push(change);
    }
  }
}
