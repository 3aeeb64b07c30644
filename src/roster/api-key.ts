import type { CreatorType } from './api-key-record.ts';
import type { Declared } from './declared-fields.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from './identifier.ts';
import type { PartialKeyHint } from './partial-key-hint.ts';
import type { Status } from './status.ts';
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
