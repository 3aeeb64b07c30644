import { basename } from 'node:path';
import { idLooksLikeKey } from '../../record/looks-like-key.ts';

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
