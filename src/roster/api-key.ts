import type { Declared } from './declared-fields.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from './identifier.ts';
import type { PartialKeyHint } from './partial-key-hint.ts';
import type { Timestamp } from './timestamp.ts';

/** A listed API key (docs/api.md#the-record). No field can hold the key itself. */
export interface ApiKey {
  readonly id: ApiKeyId;
  readonly name: string;
  readonly createdAt: Timestamp;
  readonly createdBy: Creator;
  readonly partialKeyHint: PartialKeyHint;
  readonly status: Status;
  /** `null`: the organization's default workspace. */
  readonly workspaceId: WorkspaceId | null;
  /** Of each declared field, in their order; absent: none are declared. */
  readonly declared?: readonly Declared[];
}

export interface Creator {
  readonly id: CreatorId;
  readonly type: CreatorType;
}

export const CREATOR_TYPES = ['user', 'service_account'] as const;
export type CreatorType = (typeof CREATOR_TYPES)[number];

export const STATUSES = ['active', 'inactive', 'archived'] as const;
export type Status = (typeof STATUSES)[number];
export const STATUS_RULE = `must be one of ${STATUSES.join(', ')}`;

export function parseStatus(text: unknown): Status | undefined {
  return STATUSES.find(status => status === text);
}

/** The statuses that each status can change to (docs/api.md#the-record). */
const TRANSITIONS: Readonly<Record<Status, readonly Status[]>> = {
  active: ['inactive', 'archived'],
  inactive: ['active', 'archived'],
  archived: [],
};

/** Setting the same status again is always allowed. */
export function isAllowedTransition(from: Status, to: Status): boolean {
  return from === to || TRANSITIONS[from].includes(to);
}

/** Every change of a status that is not allowed. */
export const FORBIDDEN_TRANSITIONS = STATUSES.flatMap(from =>
  STATUSES.filter(to => !isAllowedTransition(from, to)).map(to => ({ from, to })),
);

/** Why a key with this status can't get the other one. */
export function transitionProblem(from: Status, to: Status): string {
  return TRANSITIONS[from].length === 0 ? `${from} is final` : `${from} cannot become ${to}`;
}

/** In Unicode code points. */
const MAX_NAME_LENGTH = 1000;
export const NAME_RULE = `must be text of at most ${MAX_NAME_LENGTH} characters, without NUL or broken surrogates`;

/** That of an organization or an admin key. */
export const DISPLAY_NAME_RULE = `must not be empty; ${NAME_RULE}`;

export function parseDisplayName(value: unknown): string | undefined {
  return value === '' ? undefined : parseName(value);
}

export function parseName(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2 * MAX_NAME_LENGTH) return undefined;
  const short = [...value].length <= MAX_NAME_LENGTH;
  return short && value.isWellFormed() && !value.includes('\0') ? value : undefined;
}
