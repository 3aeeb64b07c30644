import { initial } from './migrations/0001-initial.ts';

/** What brings a store from each version to the next; `keyroster.migrations` has a row for each applied. Only ever append. */
export const migrations: readonly string[] = [initial];
