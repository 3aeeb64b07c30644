import type { CreatorType } from '../../shared/record/api-key-record.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../shared/record/identifier.ts';
import type { PartialKeyHint } from '../../shared/record/partial-key-hint.ts';
import type { Status } from '../../shared/record/status.ts';
import type { Timestamp } from '../../shared/record/timestamp.ts';
import type { Declared } from './declared-fields.ts';

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
