import { hasStatus } from '../../client/filters.ts';
import { type ListedKey, workspaceOf } from '../../client/listed-key.ts';
import type { CreatorType } from '../../shared/record/api-key-record.ts';
import type { Status } from '../../shared/record/status.ts';
import { isInDefaultWorkspace, type Needed, tells } from '../find/told.ts';
import { DEFAULT_WORKSPACE } from './sections.ts';

export const LEVELS = ['fail', 'warn'] as const;
export type Level = (typeof LEVELS)[number];

/** A rule for some of the keys. */
export interface Policy {
  readonly name: string;
  /** Whether a report over keys that break it fails, or only says so. */
  readonly level: Level;
  /** What a key that breaks it is, in words, such as "active and older than 365 days". */
  readonly breach: string;
  /** What it needs to judge this key, which doesn't tell it. Whoever asks more of the policy asks this first. */
  lacked(key: ListedKey): Needed | undefined;
  /** Keys that may break it, by their IDs. */
  readonly exceptions: Exceptions;
  /** New ones for each roster. */
  doubts(): Doubt[];
  /** @param now in milliseconds since 1970. */
  breaks(key: ListedKey, now: number): boolean;
}

/** Why a verdict may be worth nothing, until a key settles that: a mistyped ID must not be an all-clear. */
export interface Doubt {
  isSettledBy(key: ListedKey): boolean;
  text(): string;
}

export interface Exception {
  readonly key: string;
  readonly reason: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

export type Exceptions = ReadonlyMap<string, Exception>;

export interface Rule extends Pick<Policy, 'breaks'> {
  /** What a key that breaks it is, after the words of a selection. */
  readonly words: string;
  /** What it judges a key by, besides its name. A key that doesn't tell it can't be judged, and isn't asked of the rule. */
  readonly needs?: readonly Needed[];
  /** Whether it names this creator. */
  readonly creators?: (id: string) => boolean;
}

type PolicyOptions = Pick<Policy, 'name' | 'level' | 'exceptions'> & { readonly keys: Selection };

export function policyOf({ keys, ...options }: PolicyOptions, rule: Rule): Policy {
  const { words, needs = [], breaks } = rule;
  return {
    ...options,
    breach: `${selectionWords(keys)} and ${words}`,
    doubts: () => doubtsOf(keys, rule),
    lacked: key => {
      const selected = selectionOf(keys, key);
      return selected === true ? needs.find(field => !tells(key, field)) : selected || undefined;
    },
    breaks: (key, now) => selectionOf(keys, key) === true && breaks(key, now),
  };
}

function doubtsOf(keys: Selection, { creators }: Rule): Doubt[] {
  const missing = new Set<string | null>(keys.workspace_id?.filter(id => id !== null));
  const doubts: (Doubt | false | undefined)[] = [
    keys !== ACTIVE && {
      isSettledBy: key => selectionOf(keys, key) === true,
      text: () => 'its keys select none',
    },
    missing.size > 0 && {
      isSettledBy: key => missing.delete(workspaceOf(key) ?? null) && missing.size === 0,
      text: () => `no key is in ${oneOf([...missing] as string[], 'workspaces')}, which its keys name`,
    },
    creators && { isSettledBy: ({ created_by }) => creators(created_by?.id ?? ''), text: () => KNOWS_NOBODY },
  ];
  return doubts.filter(each => typeof each === 'object');
}

export const KNOWS_NOBODY = 'it knows none of the creators: is the list or the directory the right one?';

/** The keys that a policy is for: those that have one of the values of each member. */
export interface Selection {
  readonly status: readonly Status[];
  /** `null`: the default workspace. */
  readonly workspace_id?: readonly (string | null)[] | undefined;
  readonly creator_type?: readonly CreatorType[] | undefined;
}

/** A key that is inactive or archived gives no access. */
export const ACTIVE: Selection = { status: ['active'] };

/** Whether the policy is for this key, or what it doesn't tell so that nobody knows. */
function selectionOf({ status, workspace_id, creator_type }: Selection, key: ListedKey): boolean | Needed {
  const hasOne = isOneOf(status, each => hasStatus(key.status, each));
  if (hasOne === false) return false;
  const workspace = workspaceOf(key);
  const type = key.created_by?.type ?? undefined;
  const isIn = (id: string | null) =>
    id === null ? isInDefaultWorkspace(key) : workspace && workspace === id;
  const isInOne = workspace_id === undefined || isOneOf(workspace_id, isIn);
  const isOfOne = creator_type === undefined || isOneOf(creator_type, each => type && type === each);
  if (isInOne === false || isOfOne === false) return false;
  if (hasOne === undefined) return 'status';
  return isInOne === undefined ? 'workspace_id' : isOfOne || 'created_by.type';
}

/** `undefined`: it may be. */
function isOneOf<Value>(values: readonly Value[], isIt: (value: Value) => unknown): boolean | undefined {
  const verdicts = values.map(isIt);
  return verdicts.includes(true) || (verdicts.includes(undefined) ? undefined : false);
}

const creatorWords: Record<CreatorType, string> = { user: 'a user', service_account: 'a service account' };

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

export function oneOf(names: readonly string[], what: string): string {
  return names.length > MAX_NAMED ? `one of ${names.length} ${what}` : names.join(' or ');
}
