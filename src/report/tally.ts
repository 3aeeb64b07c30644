import { GroupCounts } from './status-counts.ts';
import { type Order, Top } from './top.ts';

/** How many groups a snapshot has of those that may be as many as the keys: more than anybody reads, and few enough to draw. */
export const MAX_TOP = 500;

/** Keys by a group that may be another one for each key, such as their creator. */
export class Tally<Group extends string | null> {
  readonly #groups = new Map<Group, GroupCounts<Group>>();
  readonly #top = new Top<GroupCounts<Group>>(MAX_TOP, mostActiveFirst);

  add(group: Group, status: string): void {
    let counts = this.#groups.get(group);
    if (counts === undefined) {
      counts = new GroupCounts(group);
      this.#groups.set(group, counts);
    }
    counts.add(status);
    this.#top.raise(counts);
  }

  /** `undefined`: no key was in this group. */
  of(group: Group): GroupCounts<Group> | undefined {
    return this.#groups.get(group);
  }

  get size(): number {
    return this.#groups.size;
  }

  /** Those with the most active keys first. */
  get top(): readonly GroupCounts<Group>[] {
    return this.#top.items;
  }

  /** All, in the order of `top`. Takes long for many groups. */
  sorted(): GroupCounts<Group>[] {
    return [...this.#groups.values()].sort(mostActiveFirst);
  }
}

const mostActiveFirst: Order<GroupCounts<string | null>> = (a, b) =>
  b.active - a.active || b.keys - a.keys || (isBefore(a.group, b.group) ? -1 : 1);

const isBefore = (a: string | null, b: string | null) => a === null || (b !== null && a < b);
