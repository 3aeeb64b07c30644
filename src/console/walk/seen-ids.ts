import type { ApiKeyRecord } from '../../client/client.ts';
import { LIFECYCLE_FIELDS, type LifecycleField } from '../../shared/record/lifecycle.ts';

/** The workspaces and creators of the keys that were shown, and which times they tell. */
export class SeenIds {
  readonly workspaces = new Set<string>();
  readonly creators = new Set<string>();
  readonly times = new Set<LifecycleField>();

  add(keys: readonly ApiKeyRecord[]): void {
    for (const field of LIFECYCLE_FIELDS) if (keys[0]?.[field] !== undefined) this.times.add(field);
    for (const { workspace_id, created_by } of keys) {
      if (workspace_id !== null) this.workspaces.add(workspace_id);
      this.creators.add(created_by.id);
    }
  }
}
