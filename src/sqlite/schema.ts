import { hash } from 'node:crypto';
import { type Schema, schemaAfter } from '../roster/schema.ts';
import { initial } from './migrations/0001-initial.ts';

/** "KeyR" in ASCII. SQLite stores it in the file's header, which tells a Keyroster store from other files. */
export const APPLICATION_ID = 0x4b657952;

/** A step of the schema, applied in one transaction: while that runs, all who write wait. */
export interface Migration {
  readonly sql: string;
  /**
   * The oldest schema whose release can read and write the store after this migration: that of the release before. `null`: no
   * release without this migration can.
   */
  readonly usableFrom: number | null;
}

/** In the order of their versions; the file's `user_version` counts those applied. Append only. */
export const migrations: readonly Migration[] = [{ sql: initial, usableFrom: null }];

/** The store keeps it. */
export const digestOf = ({ sql }: Migration): string => hash('sha256', sql);

/** That of this release. */
export const ownSchema = (): Schema => schemaAfter(migrations, digestOf);
