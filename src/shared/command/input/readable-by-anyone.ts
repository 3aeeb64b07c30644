import { statSync } from 'node:fs';

/** Whether any user of this machine may read the file. Windows has no such modes. */
export function readableByAnyone(file: string): boolean {
  return process.platform !== 'win32' && (statSync(file).mode & 0o004) !== 0;
}
