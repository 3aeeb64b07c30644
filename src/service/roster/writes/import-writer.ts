import type { ImportId, OrganizationId } from '../../../shared/record/identifier.ts';
import type {
  ImportEntry,
  ImportLine,
  ImportOptions,
  ImportResult,
  OrganizationRevert,
  RevertOptions,
} from './imports.ts';

export interface ImportWriter {
  /**
   * Inserts new keys and updates name, status, workspace and hint of existing ones, of any number of organizations, in one
   * transaction. A line is refused when it has faults, when its organization is unknown, when an earlier line of that one has its
   * ID, when its creation time or creator differs from what is stored, or when it would change the status of an archived key. When
   * the source throws, nothing is imported. When a line is refused, nothing is imported either, unless `skipRefused` is set.
   */
  importApiKeys(source: AsyncIterable<readonly ImportLine[]>, options: ImportOptions): Promise<ImportResult>;

  /** What was imported, to an organization or to all (`null`), after this entry, oldest first, at most `limit`. See `walkPages`. */
  listImports(
    organization: OrganizationId | null,
    after: ImportEntry | null,
    limit: number,
  ): Promise<readonly ImportEntry[]>;

  /**
   * Takes an import back, in all its organizations: deletes the keys that it inserted, and gives those whose status it changed the
   * one before, archived ones too. Other fields stay. Refuses an unknown import, one that was taken back already, and, unless
   * `skipChanged` is set, one where something else changed an inserted key or a status since.
   */
  revertImport(id: ImportId, options: RevertOptions): Promise<readonly OrganizationRevert[]>;
}
