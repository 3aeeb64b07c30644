/**
 * Descriptors of files that SQLite has open too. A process that closes any descriptor of a file loses all its locks on that file,
 * SQLite's included (POSIX, fcntl). So these are closed only while this process has no connection.
 */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Refused } from '../../../shared/record/faults.ts';

let connections = 0;
const released: number[] = [];

/** A connection that is counted. */
export class CountedDatabase extends DatabaseSync {
  constructor(...parameters: ConstructorParameters<typeof DatabaseSync>) {
    super(...parameters);
    connections += 1;
  }

  override close(): void {
    super.close();
    connections -= 1;
    closeReleased();
  }
}

/** Opens a file for reading; `null` when there is none. Throws `Refused`. */
export function openDescriptor(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new Refused(`database: can't read ${path}: ${message}`, { cause: error });
  }
}

export function releaseDescriptors(descriptors: Iterable<number | null>): void {
  for (const descriptor of descriptors) if (descriptor !== null) released.push(descriptor);
  closeReleased();
}

function closeReleased(): void {
  if (connections === 0) for (const descriptor of released.splice(0)) closeSync(descriptor);
}
