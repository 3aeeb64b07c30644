/** How many keys have which status: of all keys, and of each group of them. */
import { parseStatus, type Status } from '../../shared/record/status.ts';

export interface Count {
  readonly keys: number;
  readonly active: number;
  /** Each status that the API has, and those that only a newer service has where a key has one. */
  readonly statuses: Readonly<Record<Status, number> & Record<string, number>>;
}

export class StatusCounts implements Record<Status, number> {
  keys = 0;
  active = 0;
  inactive = 0;
  archived = 0;
  /** Statuses that only a newer service has; most groups have none. In a `Map`, since they may be any text. */
  #others: Map<string, number> | undefined;

  add(status: string): void {
    this.keys += 1;
    const known = parseStatus(status);
    if (known) {
      this[known] += 1;
      return;
    }
    this.#others ??= new Map();
    this.#others.set(status, (this.#others.get(status) ?? 0) + 1);
  }

  /** Without a status: all keys. */
  of(status?: string): number {
    if (status === undefined) return this.keys;
    const known = parseStatus(status);
    return known ? this[known] : (this.#others?.get(status) ?? 0);
  }

  count(): Count {
    const { keys, active, inactive, archived } = this;
    const known: Record<Status, number> = { active, inactive, archived };
    const statuses = this.#others ? { ...known, ...Object.fromEntries(this.#others) } : known;
    return { keys, active, statuses };
  }
}

export class GroupCounts<Group> extends StatusCounts {
  readonly group: Group;

  constructor(group: Group) {
    super();
    this.group = group;
  }
}

/** Keys by a group that may be another one for each key, such as their creator. */
export class Groups<Group extends string | null> {
  readonly #groups = new Map<Group, GroupCounts<Group>>();

  /** @param known those that are there without a key too. */
  constructor(known: readonly Group[] = []) {
    for (const group of known) this.#groups.set(group, new GroupCounts(group));
  }

  add(group: Group, status: string): void {
    let counts = this.#groups.get(group);
    if (counts === undefined) {
      counts = new GroupCounts(group);
      this.#groups.set(group, counts);
    }
    counts.add(status);
  }

  /** `undefined`: no key was in this group. */
  of(group: Group): GroupCounts<Group> | undefined {
    return this.#groups.get(group);
  }

  get size(): number {
    return this.#groups.size;
  }

  all(): IterableIterator<GroupCounts<Group>> {
    return this.#groups.values();
  }
}

/** Finds the names that more than one key has. */
export class RepeatedNames {
  /** The status of the key that alone has a name; for a name of more keys, their counts. */
  readonly #names = new Map<string, string | GroupCounts<string>>();
  readonly repeated: GroupCounts<string>[] = [];

  add(name: string, status: string): void {
    let known = this.#names.get(name);
    if (known === undefined) {
      this.#names.set(name, status);
      return;
    }
    if (typeof known === 'string') {
      known = countsOf(name, known);
      this.#names.set(name, known);
      this.repeated.push(known);
    }
    known.add(status);
  }

  /** The keys with this name, be it only one. */
  of(name: string): GroupCounts<string> | undefined {
    const known = this.#names.get(name);
    return typeof known === 'string' ? countsOf(name, known) : known;
  }
}

function countsOf(name: string, status: string): GroupCounts<string> {
  const counts = new GroupCounts(name);
  counts.add(status);
  return counts;
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
