import type { ApiKeyRecord } from '../../client/client.ts';

/** The workspaces and creators of the keys that were shown. */
export class SeenIds {
  readonly workspaces = new Set<string>();
  readonly creators = new Set<string>();

  add(keys: readonly ApiKeyRecord[]): void {
    for (const { workspace_id, created_by } of keys) {
      if (workspace_id !== null) this.workspaces.add(workspace_id);
      this.creators.add(created_by.id);
    }
  }
}
