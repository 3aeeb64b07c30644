import { parseStatus, type Status } from '../roster/api-key.ts';

export interface Count {
  readonly keys: number;
  readonly active: number;
  /** Each status that the API has, and those that only a newer service has where a key has one. */
  readonly statuses: Readonly<Record<Status, number> & Record<string, number>>;
}

/** How many keys have which status. A count never gets smaller, which `Top` relies on. */
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
