/** The figures that an auditor asks for. Their names are those of the JSON report. */
import type { ApiKeyRecord } from '../../client/client.ts';
import type { Count } from './status-counts.ts';

export type Creator = Pick<ApiKeyRecord['created_by'], 'id' | 'type'>;
export type WorkspaceCount = { readonly workspace_id: string | null } & Count;
export type CreatorCount = { readonly creator: Creator } & Count;
export type RepeatedName = { readonly name: string } & Count;

/** Those whose number doesn't grow with the number of keys. */
export interface Figures extends Count {
  /** How many of the active keys are past their `expires_at`; absent: no key tells that. */
  readonly expired?: number;
  readonly by_status: readonly (Pick<Count, 'keys' | 'active'> & { readonly status: string })[];
  readonly by_age: readonly ({ readonly from_days: number; readonly to_days: number | null } & Count)[];
  /** Each month in which a key was created, in UTC, such as `2026-11`. Oldest first. */
  readonly by_month: readonly ({ readonly month: string } & Count)[];
  readonly by_creator_type: readonly ({ readonly type: string } & Count)[];
  readonly default_workspace: Count;
  /** Oldest first. */
  readonly oldest_active_keys: readonly ApiKeyRecord[];
}

/** The figures of a whole roster, with all groups. */
export interface RosterReport extends Figures {
  readonly generated_at: string;
  readonly organization_id: string | null;
  /** All that was looked at of it, such as `workspace_id=wrkspc_1`; `null`: everything. */
  readonly scope: string | null;
  /** Keys of creators who have left, and of those whom the directory doesn't have; absent: there is no directory. */
  readonly left?: Pick<Count, 'keys' | 'active'>;
  readonly not_in_directory?: Pick<Count, 'keys' | 'active'>;
  /** Most active keys first; `by_creator` too. */
  readonly by_workspace: readonly WorkspaceCount[];
  readonly by_creator: readonly CreatorCount[];
  /** Most keys first. */
  readonly repeated_names: readonly RepeatedName[];
}
