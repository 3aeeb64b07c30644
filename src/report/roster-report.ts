/**
 * The figures that an auditor asks for, from one walk over the roster. Memory grows with the number of workspaces,
 * creators and repeated names; a key itself costs no more than the digest of its name, about 60 bytes.
 */
import type { ApiKeyRecord } from '../client/client.ts';
import { parseStatus, STATUSES } from '../roster/api-key.ts';
import { ageBands, bandOf } from './age.ts';
import { type RepeatedName, RepeatedNames } from './repeated-names.ts';

/** How many of the oldest active keys the report lists. */
const MAX_OLDEST = 10;

export interface Count {
  readonly keys: number;
  readonly active: number;
}

type Creator = Pick<ApiKeyRecord['created_by'], 'id' | 'type'>;

export interface RosterReport extends Count {
  readonly generated_at: string;
  readonly organization_id: string | null;
  readonly by_status: readonly ({ readonly status: string } & Count)[];
  readonly by_age: readonly ({ readonly from_days: number; readonly to_days: number | null } & Count)[];
  /** Most active keys first; `by_creator` too. */
  readonly by_workspace: readonly ({ readonly workspace_id: string | null } & Count)[];
  readonly by_creator: readonly ({ readonly creator: Creator } & Count)[];
  /** Oldest first. */
  readonly oldest_active_keys: readonly ApiKeyRecord[];
  readonly default_workspace: Count;
  readonly repeated_names: readonly RepeatedName[];
}

export class ReportBuilder {
  readonly #now: Date;
  #organization: string | null = null;
  readonly #total = new Tally<null>();
  readonly #statuses = new Tally<string>();
  readonly #ages = new Tally<number>();
  readonly #workspaces = new Tally<string | null>();
  readonly #creators = new Tally<string>();
  readonly #names = new RepeatedNames();
  readonly #oldest: { readonly ageMs: number; readonly key: ApiKeyRecord }[] = [];

  constructor(now: Date) {
    this.#now = now;
  }

  add(key: ApiKeyRecord, ageMs: number): void {
    const active = key.status === 'active';
    this.#total.add(null, active);
    this.#statuses.add(key.status, active);
    this.#ages.add(bandOf(ageMs), active);
    this.#workspaces.add(key.workspace_id, active);
    this.#creators.add(JSON.stringify([key.created_by.type, key.created_by.id]), active);
    this.#names.add(key.name, active);
    if (active) this.#keepOldest(key, ageMs);
  }

  ofOrganization(id: string | null): void {
    this.#organization = id;
  }

  /** Works for keys in any order. */
  #keepOldest(key: ApiKeyRecord, ageMs: number): void {
    const index = this.#oldest.findIndex(other => ageMs >= other.ageMs);
    this.#oldest.splice(index < 0 ? this.#oldest.length : index, 0, { key, ageMs });
    if (this.#oldest.length > MAX_OLDEST) this.#oldest.pop();
  }

  /** A newer service may have more statuses than this version knows. */
  #byStatus(): RosterReport['by_status'] {
    const unknown = this.#statuses
      .sorted()
      .map(([status]) => status)
      .filter(status => !parseStatus(status));
    return [...STATUSES, ...unknown].map(status => ({ status, ...this.#statuses.of(status) }));
  }

  report(): RosterReport {
    return {
      generated_at: this.#now.toISOString(),
      organization_id: this.#organization,
      ...this.#total.of(null),
      by_status: this.#byStatus(),
      by_age: ageBands.map((band, index) => ({ ...band, ...this.#ages.of(index) })),
      by_workspace: this.#workspaces.sorted().map(([workspace_id, count]) => ({ workspace_id, ...count })),
      by_creator: this.#creators.sorted().map(([typeAndId, count]) => ({
        creator: creatorOf(typeAndId),
        ...count,
      })),
      oldest_active_keys: this.#oldest.map(({ key }) => key),
      default_workspace: this.#workspaces.of(null),
      repeated_names: this.#names.sorted(),
    };
  }
}

function creatorOf(typeAndId: string): Creator {
  const [type, id]: [string, string] = JSON.parse(typeAndId);
  return { id, type };
}

class Tally<Group> {
  readonly #counts = new Map<Group, { keys: number; active: number }>();

  add(group: Group, active: boolean): void {
    const count = this.#counts.get(group) ?? { keys: 0, active: 0 };
    count.keys += 1;
    if (active) count.active += 1;
    this.#counts.set(group, count);
  }

  of(group: Group): Count {
    return this.#counts.get(group) ?? { keys: 0, active: 0 };
  }

  sorted(): [Group, Count][] {
    return [...this.#counts].sort(
      ([a, inA], [b, inB]) =>
        inB.active - inA.active || inB.keys - inA.keys || (String(a) < String(b) ? -1 : 1),
    );
  }
}
