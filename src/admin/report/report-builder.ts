/**
 * Counts the figures of a report in one walk over the roster, for the command and for the web console. The console shows them
 * while they are counted, on the thread that draws its page: with 1,000,000 keys each step but `report` takes a few milliseconds
 * at most, and longer where a map grows. Memory grows with the number of workspaces and creators.
 */
import { type ListedKey, UNTOLD, workspaceOf } from '../../client/listed-key.ts';
import { CREATOR_TYPES } from '../../shared/record/api-key-record.ts';
import { expiresWithin, hasExpired, lifecycleTime } from '../../shared/record/lifecycle.ts';
import { STATUSES } from '../../shared/record/status.ts';
import { type Coverage, type Directory, knowsNobody } from '../directory/directory.ts';
import { type Needed, tells } from '../find/told.ts';
import { ageBands, ageOf, bandOf, DAY_MS } from './age.ts';
import { creatorOf, creatorText, shownCreator } from './creator.ts';
import { addOne, type Count, firstOf, GroupCounts, Groups } from './status-counts.ts';
import { byTeam } from './teams.ts';

/** The figures that an auditor asks for, of a whole roster. Their names are those of the JSON report. */
export type RosterReport = ReturnType<ReportBuilder['report']> & {
  /** Of several services each, by the name that the admin has for it. */
  readonly by_profile?: readonly ProfileReport[];
  /** Those of them of which not all keys were read. */
  readonly missing?: readonly string[];
};

type ProfileReport = Pick<RosterReport, 'organization_id' | 'scope'> &
  ReturnType<ReportBuilder['snapshot']> & { readonly profile: string };

/** What the figures are of. */
const FIGURES = ['status', 'created_at', 'created_by.id', 'workspace_id'] as const;
/** What expires within so long can still be rotated in time. */
const SOON_MS = 30 * DAY_MS;
/** How many of the oldest active keys the report lists. */
const MAX_OLDEST = 10;
/** How many groups there may be to pick from: more than anybody reads, and few enough to draw. */
const MAX_FIRST = 500;

interface AgedKey {
  readonly key: ListedKey;
  readonly ageMs: number;
}

export class ReportBuilder {
  readonly #now: Date;
  readonly #all = new GroupCounts(null);
  readonly #statuses = new Groups<string>(STATUSES);
  /** Of the active keys; `undefined`: no key tells when it expires. */
  #expiry: { expired: number; expires_within_30_days: number } | undefined;
  readonly #ages = ageBands.map(band => new GroupCounts(band));
  readonly #months = new Groups<string>();
  readonly #workspaces = new Groups<string | null>();
  readonly #creatorTypes = new Groups<string>(CREATOR_TYPES);
  readonly #creators = new Groups<string>();
  /** Of whatever type: a directory has people by ID. */
  readonly #creatorIds = new Groups<string>();
  readonly #ageless = new GroupCounts({ from_days: null, to_days: null });
  readonly #untold = new Map<Needed, number>();
  #oldest: AgedKey[] = [];

  constructor(now: Date) {
    this.#now = now;
  }

  /** Works for keys in any order. */
  add(key: ListedKey): void {
    const status = key.status ?? UNTOLD;
    const { workspace = UNTOLD } = { workspace: workspaceOf(key) };
    const ageMs = ageOf(key.created_at, this.#now);
    const creator = shownCreator(key);
    const isAged = !Number.isNaN(ageMs);
    this.#all.add(status);
    this.#statuses.add(status, status);
    (isAged ? this.#ages[bandOf(ageMs)] : this.#ageless)?.add(status);
    if (isAged) this.#months.add(monthOf(this.#now.getTime() - ageMs), status);
    this.#workspaces.add(workspace, status);
    this.#creatorTypes.add(creator.type, status);
    this.#creators.add(creatorText(creator), status);
    this.#creatorIds.add(creator.id, status);
    for (const field of FIGURES)
      if (field === 'created_at' ? !isAged : !tells(key, field)) addOne(this.#untold, field);
    if (lifecycleTime(key, 'expires_at') !== undefined)
      this.#expiry ??= { expired: 0, expires_within_30_days: 0 };
    if (status !== 'active') return;
    if (this.#expiry) {
      this.#expiry.expired += Number(hasExpired(key, this.#now.getTime()));
      this.#expiry.expires_within_30_days += Number(expiresWithin(key, SOON_MS, this.#now.getTime()));
    }
    if (!isAged) return;
    this.#oldest.push({ key, ageMs });
    if (this.#oldest.length > 100 * MAX_OLDEST) this.#oldest = firstOf(this.#oldest, MAX_OLDEST, oldestFirst);
  }

  /** The IDs of those with the most active keys first, at most 500 of each. Looks at each group, and sorts few of them. */
  ids() {
    const creators = firstOf(this.#creators.values(), MAX_FIRST, mostActiveFirst);
    return {
      workspaces: this.workspaces(MAX_FIRST).flatMap(({ group }) => group ?? []),
      creators: creators.map(({ group }) => creatorOf(group).id),
    };
  }

  workspaces(max: number): readonly GroupCounts<string | null>[] {
    return firstOf(this.#workspaces.values(), max, mostActiveFirst);
  }

  /** Looks at each creator. */
  teams(directory: Directory) {
    return byTeam(directory, this.#creatorIds);
  }

  /**
   * Sorts all groups. What a directory tells is absent where there is none, and who has left also where it knows none of the creators.
   * @param scope all that was looked at, such as `workspace_id=wrkspc_1`; `null`: everything.
   */
  report(directory?: Directory, organization_id: string | null = null, scope: string | null = null) {
    return {
      generated_at: this.#now.toISOString(),
      organization_id,
      scope,
      ...this.snapshot(),
      ...(directory && this.people(directory)),
      by_workspace: figuresOf('workspace_id', [...this.#workspaces.values()].sort(mostActiveFirst)),
      by_creator: [...this.#creators.values()]
        .sort(mostActiveFirst)
        .map(counts => ({ creator: creatorOf(counts.group), ...counts.count() })),
    };
  }

  /** What a directory tells of the creators of the counted keys. Looks at each of its entries, and at no other creator. */
  people(directory: Directory) {
    const none = () => ({ creators: 0, keys: 0, active: 0 });
    const known = none();
    const absent = { left: none(), disabled: none() };
    for (const { id } of directory.entries) {
      const counts = this.#creatorIds.get(id);
      if (!counts || !directory.knows(id)) continue;
      const absence = directory.absence(id, this.#now.getTime());
      for (const sum of absence ? [known, absent[absence]] : [known]) {
        sum.creators += 1;
        sum.keys += counts.keys;
        sum.active += counts.active;
      }
    }
    const { left, disabled } = absent;
    const coverage: Coverage = {
      creators: this.#creatorIds.size,
      known: known.creators,
      ...(directory.tellsLeft && { left: left.creators }),
      disabled: disabled.creators,
    };
    return {
      directory: coverage,
      ...(directory.tellsLeft && !knowsNobody(coverage) && { left }),
      disabled,
      not_in_directory: { keys: this.#all.keys - known.keys, active: this.#all.active - known.active },
    };
  }

  /** While a count goes on: the figures whose number doesn't grow with the number of keys. */
  snapshot() {
    return {
      ...this.#all.count(),
      /** Absent: no key tells when it expires. */
      ...this.#expiry,
      by_status: knownFirst(this.#statuses, STATUSES.length).map(({ group, keys, active }) => ({
        status: group,
        keys,
        active,
      })),
      /** How many keys don't tell what; absent: all tell all that the figures are of. */
      ...(this.#untold.size > 0 && { untold: Object.fromEntries(this.#untold) }),
      by_age: [...this.#ages, ...(this.#ageless.keys > 0 ? [this.#ageless] : [])].map(counts => ({
        ...counts.group,
        ...counts.count(),
      })),
      /** Each month in which a key was created, oldest first. */
      by_month: figuresOf(
        'month',
        [...this.#months.values()].sort((a, b) => (a.group < b.group ? -1 : 1)),
      ),
      by_creator_type: figuresOf('type', knownFirst(this.#creatorTypes, CREATOR_TYPES.length)),
      default_workspace: (this.#workspaces.get(null) ?? new GroupCounts(null)).count(),
      oldest_active_keys: firstOf(this.#oldest, MAX_OLDEST, oldestFirst).map(({ key }) => key),
    };
  }
}

/** @param name of the group in each. */
const figuresOf = <Name extends string, Group>(name: Name, groups: readonly GroupCounts<Group>[]) =>
  groups.map(counts => ({ [name]: counts.group, ...counts.count() }) as Record<Name, Group> & Count);

/** In UTC, such as `2026-11`. */
const monthOf = (time: number) => new Date(Math.floor(time)).toISOString().slice(0, '2026-11'.length);

const oldestFirst = (a: AgedKey, b: AgedKey) => b.ageMs - a.ageMs || (a.key.id < b.key.id ? -1 : 1);

type Ordered = GroupCounts<string | null>;
const mostActiveFirst = (a: Ordered, b: Ordered) =>
  b.active - a.active || b.keys - a.keys || (isBefore(a.group, b.group) ? -1 : 1);
const mostKeysFirst = (a: Ordered, b: Ordered) =>
  b.keys - a.keys || b.active - a.active || (isBefore(a.group, b.group) ? -1 : 1);
const isBefore = (a: string | null, b: string | null) => a === null || (b !== null && a < b);

/** Those that this version knows, in their order; then those that only a newer service has, most keys first. */
function knownFirst(groups: Groups<string>, known: number): GroupCounts<string>[] {
  const all = [...groups.values()];
  return [...all.slice(0, known), ...all.slice(known).sort(mostKeysFirst)];
}
