import type { WorkspaceId } from '../../shared/record/identifier.ts';
import type { PropertiesOfParts } from './schemas.ts';

/** The settings that a version may need. */
export interface VersionSettings {
  readonly defaultWorkspace: WorkspaceId;
}

interface RenderedRecords {
  /** The same in this version, cut anywhere. */
  readonly records: readonly Buffer[];
  /** When time alone changes them, in milliseconds since 1970; absent: never. */
  readonly until?: number;
}

/** How a version shows API keys. */
export interface RecordVersion {
  /** The JSON Schemas of a record's fields, of these parts: they are loaded only when somebody asks for the document. */
  readonly properties: PropertiesOfParts;
  /** Gets a page's records as they are stored, with commas between them, and the settings that it needs. */
  readonly render: (stored: Buffer, settings: VersionSettings, now: number) => RenderedRecords;
  /** A setting that it can't do without, and why, in words that follow its date. */
  readonly needs?: { readonly setting: keyof VersionSettings; readonly why: string };
}
