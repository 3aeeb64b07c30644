import { closeSync, openSync } from 'node:fs';

/** Its owner's alone: it holds rosters and digests. SQLite gives the files that it puts beside it the same rights. */
const OWNER_ONLY = 0o600;

/** Makes sure that there is a file, empty when it is new, which SQLite takes for an empty database. */
export function createOwnerOnlyFile(file: string): void {
  closeSync(openSync(file, 'a', OWNER_ONLY));
}
