/** How many keys have which status: of all keys, and of each group of them. */
import { parseStatus, type Status } from '../../shared/record/status.ts';

export interface Count {
  readonly keys: number;
  readonly active: number;
  /** Each status that the API has, and those that only a newer service has where a key has one. */
  readonly statuses: Readonly<Record<Status, number> & Record<string, number>>;
}

export type Counted = Pick<Count, 'keys' | 'active'>;

export class GroupCounts<Group> implements Record<Status, number> {
  readonly group: Group;
  keys = 0;
  active = 0;
  inactive = 0;
  archived = 0;
  /** Statuses that only a newer service has; most groups have none. In a `Map`, since they may be any text. */
  #others: Map<string, number> | undefined;

  constructor(group: Group) {
    this.group = group;
  }

  add(status: string): void {
    this.keys += 1;
    const known = parseStatus(status);
    if (known) {
      this[known] += 1;
      return;
    }
    this.#others ??= new Map();
    addOne(this.#others, status);
  }

  count(): Count {
    const { keys, active, inactive, archived } = this;
    const known: Record<Status, number> = { active, inactive, archived };
    const statuses = this.#others ? { ...known, ...Object.fromEntries(this.#others) } : known;
    return { keys, active, statuses };
  }
}

/** Keys by a group that may be another one for each key, such as their creator. */
export class Groups<Group> extends Map<Group, GroupCounts<Group>> {
  /** @param known those that are there without a key too, and first. */
  constructor(known: readonly Group[] = []) {
    super(known.map(group => [group, new GroupCounts(group)]));
  }

  add(group: Group, status: string): void {
    const counts = this.get(group) ?? new GroupCounts(group);
    if (counts.keys === 0) this.set(group, counts);
    counts.add(status);
  }
}

/** The first of many in an order that never says 0 of two that differ, without sorting all of them. */
export function firstOf<Item>(
  items: Iterable<Item>,
  max: number,
  order: (a: Item, b: Item) => number,
): Item[] {
  let first: Item[] = [];
  let last: Item | undefined;
  for (const item of items) {
    if (last !== undefined && order(last, item) < 0) continue;
    first.push(item);
    if (first.length < 2 * max) continue;
    first = first.sort(order).slice(0, max);
    last = first.at(-1);
  }
  return first.sort(order).slice(0, max);
}

export function addOne<Key>(counts: Map<Key, number>, key: Key): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}
