import { readFileSync, statSync } from 'node:fs';

/** A file with as many IDs or values as it may have takes some 10 MiB. */
const MAX_MIB = 64;

/** The text of a file that somebody has written for a command, without a byte order mark. Throws why it can't be had. */
export function textOfFile(file: string, maxMiB = MAX_MIB): string {
  const stats = statSync(file);
  // Opening a FIFO would wait for another process, and a device may never end.
  if (!stats.isFile()) throw new Error('it is not a regular file');
  if (stats.size > maxMiB * 2 ** 20) throw new Error(`it is larger than ${maxMiB} MiB`);
  const content = readFileSync(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new Error('it is not in UTF-8');
  }
}
