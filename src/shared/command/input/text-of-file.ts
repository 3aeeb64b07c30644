import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { idLooksLikeKey } from '../../record/looks-like-key.ts';
import { UsageError } from '../command.ts';

/** A file with as many IDs or values as it may have takes some 10 MiB. */
const MAX_MIB = 64;
const CHUNK_BYTES = 65_536;

/** A pipe that is open already, as of `<(…)` in a shell. To open one by its name would wait for another process. */
const OPEN_PIPE = /^\/dev\/(stdin$|fd\/)/;

/** The text of the file that an option names. Throws a `UsageError`. */
export function textOfOption(option: string, file: string, decode = textOfUtf8): string {
  try {
    return textOfFile(file, decode);
  } catch (error) {
    throw new UsageError(`${option}: ${cannotRead(file, error)}`);
  }
}

/** The text of a file that somebody has written for a command, without a byte order mark. Throws why it can't be had. */
export function textOfFile(file: string, decode = textOfUtf8): string {
  const stats = statSync(file);
  const isOpenPipe = stats.isFIFO() && OPEN_PIPE.test(file);
  // A device may never end.
  if (!stats.isFile() && !isOpenPipe) throw new Error('it is not a regular file');
  return decode(contentOf(file));
}

export function textOfUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('it is not in UTF-8');
  }
}

function contentOf(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size <= MAX_MIB * 2 ** 20; ) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const bytes = readSync(descriptor, chunk);
      if (bytes === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, bytes));
      size += bytes;
    }
    throw new Error(`it is larger than ${MAX_MIB} MiB`);
  } finally {
    closeSync(descriptor);
  }
}

/** Why a file can't be read. Where somebody gave a key instead of a file that has it, the key isn't repeated. */
export function cannotRead(file: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const isKey =
    file.includes('-admin01-') ||
    basename(file)
      .split(/[^\w-]/)
      .some(idLooksLikeKey);
  if (file === '') return 'the name of the file is empty: leave it out, or name a file';
  return isKey
    ? `can't read a file whose name looks like a key (${code ?? message}): give the name of a file`
    : `can't read ${file}: ${message}`;
}

/**
 * Whether any user of this machine may read the file. Windows has no such modes. What is open already, as /dev/stdin, has that of a
 * file that its shell may have opened.
 */
export function readableByAnyone(file: string): boolean {
  if (process.platform === 'win32' || /^\/(dev|proc)\//.test(file)) return false;
  const stats = statSync(file);
  return stats.isFile() && (stats.mode & 0o004) !== 0;
}
