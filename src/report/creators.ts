import { CREATOR_TYPES } from '../roster/api-key.ts';
import { knownFirst } from './known-first.ts';
import type { Creator, CreatorCount, Figures } from './roster-report.ts';
import { type GroupCounts, StatusCounts } from './status-counts.ts';
import { Tally } from './tally.ts';

/** Keys by their creator, and by its type. */
export class Creators {
  readonly #types = new Map<string, StatusCounts>(CREATOR_TYPES.map(type => [type, new StatusCounts()]));
  /** By type and ID, which is what makes a creator: an ID may be of a user and of a service account. */
  readonly #creators = new Tally<string>();

  add({ type, id }: Creator, status: string): void {
    let counts = this.#types.get(type);
    if (counts === undefined) {
      counts = new StatusCounts();
      this.#types.set(type, counts);
    }
    counts.add(status);
    this.#creators.add(textOf(type, id), status);
  }

  ofType(type: string): StatusCounts | undefined {
    return this.#types.get(type);
  }

  /** Of each creator with this ID, as the list operation's filter compares only that. */
  ofId(id: string): StatusCounts[] {
    const found = Array.from(this.#types.keys(), type => this.#creators.of(textOf(type, id)));
    return found.filter(counts => counts !== undefined);
  }

  of({ type, id }: Creator): StatusCounts | undefined {
    return this.#creators.of(textOf(type, id));
  }

  byType(): Figures['by_creator_type'] {
    return Array.from(this.#types, ([type, { keys }]) => [type, keys] as const)
      .sort(knownFirst(CREATOR_TYPES))
      .map(([type]) => ({ type, ...(this.#types.get(type) as StatusCounts).count() }));
  }

  get size(): number {
    return this.#creators.size;
  }

  /** Those with the most active keys first. */
  top(): CreatorCount[] {
    return this.#creators.top.map(creatorCount);
  }

  /** All, in the order of `top`. Takes long for many creators. */
  sorted(): CreatorCount[] {
    return this.#creators.sorted().map(creatorCount);
  }
}

/** As one text, since a `Map` compares objects by their identity. */
const textOf = (type: string, id: string) => JSON.stringify([type, id]);

function creatorCount(counts: GroupCounts<string>): CreatorCount {
  const [type, id]: [string, string] = JSON.parse(counts.group);
  return { creator: { id, type }, ...counts.count() };
}
