import { readFileSync, statSync } from 'node:fs';

/**
 * What SQLite locks for the one writer: a byte of the shared-memory file (sqlite.org/walformat.html#wal_locks), and where there is none
 * yet, of the file itself (PENDING_BYTE and RESERVED_BYTE of its os.h).
 */
const WRITE_LOCKS = [
  { suffix: '-shm', bytes: '120 120' },
  { suffix: '', bytes: '107374182[45] \\d+' },
];

/** The ID of the process that writes to the store; `null` when that can't be told, as outside of Linux. */
export function lockHolder(file: string): number | null {
  try {
    const locks = readFileSync('/proc/locks', 'utf8');
    for (const { suffix, bytes } of WRITE_LOCKS) {
      const ino = statSync(file + suffix, { throwIfNoEntry: false })?.ino;
      const id = Number(new RegExp(` WRITE (\\d+) \\S+:${ino} ${bytes}$`, 'm').exec(locks)?.[1]);
      if (id > 0) return id; // 0: of another container
    }
  } catch {} // no such file outside of Linux
  return null;
}
