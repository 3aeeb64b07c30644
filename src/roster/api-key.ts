import type { ApiKeyId, CreatorId, WorkspaceId } from './identifier.ts';
import type { PartialKeyHint } from './partial-key-hint.ts';
import type { Timestamp } from './timestamp.ts';

/** An API key as it is listed (spec, section 2). There is no field that could hold the key itself. */
export interface ApiKey {
  readonly id: ApiKeyId;
  readonly name: string;
  readonly createdAt: Timestamp;
  readonly createdBy: Creator;
  readonly partialKeyHint: PartialKeyHint;
  readonly status: Status;
  /** `null`: the organization's default workspace. */
  readonly workspaceId: WorkspaceId | null;
}

export interface Creator {
  readonly id: CreatorId;
  readonly type: CreatorType;
}

export const CREATOR_TYPES = ['user', 'service_account'] as const;
export type CreatorType = (typeof CREATOR_TYPES)[number];

export const STATUSES = ['active', 'inactive', 'archived'] as const;
export type Status = (typeof STATUSES)[number];

/** active ⇄ inactive; either → archived; archived is final (contract, "The record"). Staying is always allowed. */
export function mayBecome(from: Status, to: Status): boolean {
  return from === to || from !== 'archived';
}

/** Most characters (Unicode code points) in a name. */
export const MAX_NAME = 1000;
export const NAME_RULE = `must be text of at most ${MAX_NAME} characters, without NUL or broken surrogates`;

export function parseName(value: unknown): string | undefined {
  const short = typeof value === 'string' && value.length <= 2 * MAX_NAME && [...value].length <= MAX_NAME;
  return short && value.isWellFormed() && !value.includes('\0') ? value : undefined;
}
