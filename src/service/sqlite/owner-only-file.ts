import { closeSync, openSync } from 'node:fs';

/** Others must not read rosters and digests. SQLite gives the `-wal` and `-shm` files the same mode. */
const OWNER_ONLY_MODE = 0o600;
export const OWNER_ONLY_FOLDER_MODE = 0o700;

/** Creates the file unless it exists; with `wx` it fails then. To SQLite an empty file is an empty database. */
export function createOwnerOnlyFile(file: string, flag: 'a' | 'wx' = 'a'): void {
  closeSync(openSync(file, flag, OWNER_ONLY_MODE));
}
