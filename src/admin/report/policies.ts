import type { ApiKeyRecord } from '../../client/client.ts';
import type { CreatorType } from '../../shared/record/api-key-record.ts';
import {
  expiresWithin,
  hasExpired,
  isUnusedFor,
  type LifecycleField,
  lifecycleTime,
} from '../../shared/record/lifecycle.ts';
import type { Status } from '../../shared/record/status.ts';
import { DAY_MS, isOlder } from './age.ts';
import { nameGlob } from './name-glob.ts';
import { DEFAULT_WORKSPACE } from './sections.ts';

export const LEVELS = ['fail', 'warn'] as const;
export type Level = (typeof LEVELS)[number];

interface Named {
  readonly name: string;
  /** Whether a report over keys that break it fails, or only says so. */
  readonly level: Level;
  /** What a key that breaks it is, in words, such as "active and older than 365 days". */
  readonly breach: string;
  /** The time for which it can't judge this key, which doesn't tell it. Whoever asks more of the policy asks this first. */
  timeLacked(key: ApiKeyRecord): LifecycleField | undefined;
  /** Keys that may break it, by their IDs. */
  readonly exceptions: Exceptions;
  /** New ones for each roster. */
  doubts(): Doubt[];
}

/** Why a verdict may be worth nothing, until a key settles that: a mistyped ID must not be an all-clear. */
export interface Doubt {
  isSettledBy(key: ApiKeyRecord): boolean;
  text(): string;
}

export interface Exception {
  readonly key: string;
  readonly reason: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

export type Exceptions = ReadonlyMap<string, Exception>;

export interface KeyPolicy extends Named {
  /** @param now in milliseconds since 1970, at which the key is so old. */
  breaks(key: ApiKeyRecord, ageMs: number, now: number): boolean;
}

/** Broken by all keys of a group that are more than `max`. */
export interface GroupPolicy extends Named {
  readonly max: number;
  /** `null`: the policy isn't for this key. */
  groupOf(key: ApiKeyRecord): string | null;
}

/** A rule for some of the keys. */
export type Policy = KeyPolicy | GroupPolicy;

interface Judging {
  /** What a key that breaks it is, after the words of a selection. */
  readonly words: string;
  /** What it judges a key by, besides what each has. A key that doesn't tell it can't be judged, and isn't asked of the rule. */
  readonly time?: LifecycleField;
  /** Whether it names this creator. */
  readonly creators?: (id: string) => boolean;
}

/** A key breaks it whatever the others are, or all keys of a group do when they are more than `max`. */
export type Rule = Judging &
  (
    | { breaks(key: ApiKeyRecord, ageMs: number, now: number): boolean }
    | { readonly max: number; groupOf(key: ApiKeyRecord): string }
  );

interface PolicyOptions {
  readonly name: string;
  readonly level: Level;
  readonly keys: Selection;
  readonly exceptions?: Exceptions;
}

export function policyOf(
  { name, level, keys, exceptions = NO_EXCEPTIONS }: PolicyOptions,
  rule: Rule,
): Policy {
  const { time } = rule;
  const named: Named = {
    ...{ name, level, breach: `${selectionWords(keys)} and ${rule.words}`, exceptions },
    doubts: () => doubtsOf(keys, rule),
    timeLacked: key =>
      time !== undefined && isSelected(keys, key) && lifecycleTime(key, time) === undefined
        ? time
        : undefined,
  };
  if ('max' in rule)
    return {
      ...named,
      max: rule.max,
      groupOf: key => (isSelected(keys, key) ? rule.groupOf(key) : null),
    };
  return { ...named, breaks: (...judged) => isSelected(keys, judged[0]) && rule.breaks(...judged) };
}

const NO_EXCEPTIONS: Exceptions = new Map();

function doubtsOf(keys: Selection, { creators }: Rule): Doubt[] {
  const missing = new Set<string | null>(keys.workspace_id?.filter(id => id !== null));
  const doubts: (Doubt | false | undefined)[] = [
    keys !== ACTIVE && { isSettledBy: key => isSelected(keys, key), text: () => 'its keys select none' },
    missing.size > 0 && {
      isSettledBy: ({ workspace_id }) => missing.delete(workspace_id) && missing.size === 0,
      text: () => `no key is in ${oneOf([...missing] as string[], 'workspaces')}, which its keys name`,
    },
    creators && { isSettledBy: ({ created_by }) => creators(created_by.id), text: () => KNOWS_NOBODY },
  ];
  return doubts.filter(each => typeof each === 'object');
}

const KNOWS_NOBODY = 'it knows none of the creators: is the list or the directory the right one?';

/** Who has left: a list of IDs, or a directory. */
export interface Leavers {
  /** @param now in milliseconds since 1970. */
  hasLeft(creatorId: string, now: number): boolean;
  readonly knows: (creatorId: string) => boolean;
}

/** The rules of a policies file, by their names there. */
export const rules = {
  'max-age': (days: number) => ({
    words: `older than ${days} days`,
    breaks: (_, ageMs) => isOlder(ageMs, days * DAY_MS),
  }),
  'expires-within': (days: number) => ({
    time: 'expires_at',
    words: `expiring within ${days} days`,
    breaks: (key, _, now) => expiresWithin(key, days * DAY_MS, now),
  }),
  expired: () => ({
    time: 'expires_at',
    words: 'past its expiry',
    breaks: (key, _, now) => hasExpired(key, now),
  }),
  'unused-for': (days: number) => ({
    time: 'last_used_at',
    words: `unused for ${days} days`,
    breaks: (key, _, now) => isUnusedFor(key, days * DAY_MS, now),
  }),
  'no-default-workspace': () => ({
    words: 'in the default workspace',
    breaks: ({ workspace_id }) => workspace_id === null,
  }),
  'creators-allowed': (ids: ReadonlySet<string>) => ({
    words: "of a creator who isn't allowed",
    breaks: ({ created_by }) => !ids.has(created_by.id),
    creators: id => ids.has(id),
  }),
  'creators-left': (leavers: Leavers) => ({
    words: 'of a creator who has left',
    breaks: ({ created_by }, _, now) => leavers.hasLeft(created_by.id, now),
    creators: leavers.knows,
  }),
  'unique-names': () => ({
    words: 'of a name that another has too',
    max: 1,
    groupOf: ({ name }) => name,
  }),
  'name-pattern': (patterns: readonly string[]) => {
    const isLikeOne = nameGlob(...patterns);
    return {
      words: `not named like ${oneOf(patterns, 'patterns')}`,
      breaks: ({ name }) => !isLikeOne(name),
    };
  },
  'max-keys-of-a-creator': (max: number) => ({
    words: `of a creator of more than ${max}`,
    max,
    // By type and ID, which is what makes a creator: an ID may be of a user and of a service account.
    groupOf: ({ created_by: { type, id } }) => JSON.stringify([type, id]),
  }),
} as const satisfies Readonly<Record<string, (value: never) => Rule>>;

/** The keys that a policy is for: those that have one of the values of each member. */
export interface Selection {
  readonly status: readonly Status[];
  /** `null`: the default workspace. */
  readonly workspace_id?: readonly (string | null)[] | undefined;
  readonly creator_type?: readonly CreatorType[] | undefined;
}

/** A key that is inactive or archived gives no access. */
export const ACTIVE: Selection = { status: ['active'] };

function isSelected(selection: Selection, { status, workspace_id, created_by }: ApiKeyRecord): boolean {
  return (
    selection.status.some(each => each === status) &&
    (selection.workspace_id?.includes(workspace_id) ?? true) &&
    (selection.creator_type?.some(each => each === created_by.type) ?? true)
  );
}

const creatorWords = { user: 'a user', service_account: 'a service account' } satisfies Record<
  CreatorType,
  string
>;

/** Such as `active and in wrkspc_a or wrkspc_b`. */
function selectionWords({ status, workspace_id, creator_type }: Selection): string {
  const workspaces = workspace_id?.map(id => id ?? DEFAULT_WORKSPACE);
  return [
    status.join(' or '),
    ...(workspaces ? [`in ${oneOf(workspaces, 'workspaces')}`] : []),
    ...(creator_type ? [`created by ${creator_type.map(type => creatorWords[type]).join(' or ')}`] : []),
  ].join(' and ');
}

/** More than these would hide the rule behind them. */
const MAX_NAMED = 3;

function oneOf(names: readonly string[], what: string): string {
  return names.length > MAX_NAMED ? `one of ${names.length} ${what}` : names.join(' or ');
}

/** The policies of the flags; the console shows their figures. */
export const maxAge = (days: number) =>
  policyOf({ name: 'max-age', level: 'fail', keys: ACTIVE }, rules['max-age'](days)) as KeyPolicy;

export const noDefaultWorkspace = policyOf(
  { name: 'no-default-workspace', level: 'fail', keys: ACTIVE },
  rules['no-default-workspace'](),
) as KeyPolicy;
