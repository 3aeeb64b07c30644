/**
 * Counts the figures of a report in one walk over the roster, for the command and for the web console. The console shows them
 * while they are counted, on the thread that draws its page: with 1,000,000 keys each step but `report` takes a few milliseconds
 * at most, and longer where a map grows. Memory grows with the number of workspaces, creators and repeated names; a key itself
 * costs its name.
 */
import type { ApiKeyRecord } from '../client/client.ts';
import { lacks } from '../formats/readable-record.ts';
import { STATUSES } from '../roster/api-key.ts';
import { ageBands, bandOf } from './age.ts';
import { Creators } from './creators.ts';
import { knownFirst } from './known-first.ts';
import { Months } from './months.ts';
import { RepeatedNames } from './repeated-names.ts';
import type { Figures, RepeatedName, RosterReport, Snapshot, WorkspaceCount } from './roster-report.ts';
import { type GroupCounts, StatusCounts } from './status-counts.ts';
import { Tally } from './tally.ts';
import { Top } from './top.ts';

/** How many of the oldest active keys the report lists. */
const MAX_OLDEST = 10;

interface AgedKey {
  readonly key: ApiKeyRecord;
  readonly ageMs: number;
}

/** What `countOf` looks up: filters of the list operation and of the console, by their names in an address. */
type Selectable = 'workspace_id' | 'default_workspace' | 'created_by_user_id' | 'creator_type' | 'name';
export type Selection = { readonly [Name in 'status' | Selectable]?: string | undefined };

export class ReportBuilder {
  readonly #now: Date;
  #organization: string | null = null;
  readonly #all = new StatusCounts();
  readonly #ages = ageBands.map(() => new StatusCounts());
  readonly #months = new Months();
  readonly #workspaces = new Tally<string | null>();
  readonly #creators = new Creators();
  readonly #names = new RepeatedNames();
  readonly #oldest = new Top<AgedKey>(
    MAX_OLDEST,
    (a, b) => b.ageMs - a.ageMs || (a.key.id < b.key.id ? -1 : 1),
  );

  /** The only value of `default_workspace` is `true`. */
  readonly #selected: Readonly<Record<Selectable, (value: string) => (StatusCounts | undefined)[]>> = {
    workspace_id: id => [this.#workspaces.of(id)],
    default_workspace: () => [this.#workspaces.of(null)],
    created_by_user_id: id => this.#creators.ofId(id),
    creator_type: type => [this.#creators.ofType(type)],
    name: name => [this.#names.of(name)],
  };

  constructor(now: Date) {
    this.#now = now;
  }

  /** Works for keys in any order. `ageMs` is what `ageOf` says of the key at the time `now`. */
  add(key: ApiKeyRecord, ageMs: number): void {
    const { status, created_by, workspace_id, name } = key;
    this.#all.add(status);
    this.#ages[bandOf(ageMs)]?.add(status);
    this.#months.add(this.#now.getTime() - ageMs, status);
    this.#workspaces.add(workspace_id, status);
    this.#creators.add(created_by, status);
    if (!lacks(key, 'name')) this.#names.add(name, status);
    if (status === 'active') this.#oldest.raise({ key, ageMs });
  }

  ofOrganization(id: string | null): void {
    this.#organization = id;
  }

  /**
   * How many of the counted keys have all of these; `undefined` for another filter, or for two beside the status but the ID and type
   * that together are a creator.
   */
  countOf({ status, ...selection }: Selection): number | undefined {
    const [only, ...more] = Object.entries(selection).filter(([, value]) => value !== undefined);
    if (only === undefined) return this.#all.of(status);
    const { created_by_user_id: id, creator_type: type } = selection;
    if (id !== undefined && type !== undefined && more.length === 1)
      return this.#creators.of({ id, type })?.of(status) ?? 0;
    const [name, value = ''] = only;
    if (more.length > 0 || !Object.hasOwn(this.#selected, name)) return undefined;
    const selected = this.#selected[name as Selectable](value);
    return selected.reduce((sum, counts) => sum + (counts?.of(status) ?? 0), 0);
  }

  /** Takes as long after many keys as after few. */
  snapshot(): Snapshot {
    return {
      ...this.#figures(),
      workspaces: { total: this.#workspaces.size, first: this.#workspaces.top.map(workspaceCount) },
      creators: { total: this.#creators.size, first: this.#creators.top() },
      repeated_names: { total: this.#names.size, first: this.#names.top.map(repeatedName) },
    };
  }

  /** Sorts all groups. */
  report(): RosterReport {
    return {
      generated_at: this.#now.toISOString(),
      organization_id: this.#organization,
      ...this.#figures(),
      by_workspace: this.#workspaces.sorted().map(workspaceCount),
      by_creator: this.#creators.sorted(),
      repeated_names: this.#names.sorted().map(repeatedName),
    };
  }

  #figures(): Figures {
    const all = this.#all.count();
    return {
      ...all,
      by_status: Object.entries(all.statuses)
        .sort(knownFirst(STATUSES))
        .map(([status, keys]) => ({ status, keys, active: status === 'active' ? keys : 0 })),
      by_age: ageBands.map((band, index) => ({ ...band, ...(this.#ages[index] as StatusCounts).count() })),
      by_month: this.#months.counts(),
      by_creator_type: this.#creators.byType(),
      default_workspace: (this.#workspaces.of(null) ?? new StatusCounts()).count(),
      oldest_active_keys: this.#oldest.items.map(({ key }) => key),
    };
  }
}

const workspaceCount = (counts: GroupCounts<string | null>): WorkspaceCount => ({
  workspace_id: counts.group,
  ...counts.count(),
});

const repeatedName = (counts: GroupCounts<string>): RepeatedName => ({
  name: counts.group,
  ...counts.count(),
});
