import { initial } from './migrations/0001-initial.ts';

/** "KeyR": marks a SQLite file as a Keyroster store, so that no other file is taken for one. */
export const APPLICATION_ID = 0x4b657952;

/** What brings a store from each version to the next; the file's `user_version` counts those applied. Only ever append. */
export const migrations: readonly string[] = [initial];
