import { readFileSync, statSync } from 'node:fs';

/** SQLite locks this byte of the shared-memory file for the one writer (sqlite.org/walformat.html#wal_locks). */
const WRITE_LOCK = 120;

/** The ID of the process that writes to the store; `null` when that can't be told, as outside of Linux. */
export function lockHolder(file: string): number | null {
  try {
    const { ino } = statSync(`${file}-shm`);
    const lock = new RegExp(` WRITE (\\d+) \\S+:${ino} ${WRITE_LOCK} ${WRITE_LOCK}$`, 'm');
    const id = Number(lock.exec(readFileSync('/proc/locks', 'utf8'))?.[1]);
    return id > 0 ? id : null; // 0: of another container
  } catch {
    return null;
  }
}
