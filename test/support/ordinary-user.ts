/** Who runs programs in the tests that an operator runs as an ordinary user: nobody where root runs the tests, else whoever does. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, constants, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Scope, temporaryFolder } from './scope.ts';

export interface OrdinaryUser {
  /** An empty folder of this user. */
  readonly folder: string;
  /** A folder with `node`. */
  readonly programs: string;
  /** For `spawn`. */
  readonly as: { readonly uid?: number; readonly gid?: number };
}

/** The user may read these folders too, with what is in them. */
export function ordinaryUser(scope: Scope, readable: readonly string[], node: string): OrdinaryUser {
  const parent = temporaryFolder(scope);
  const [folder, programs] = [join(parent, 'empty'), join(parent, 'programs')];
  for (const path of [folder, programs]) mkdirSync(path);
  // Nobody can't read root's folders.
  copyFileSync(node, join(programs, 'node'), constants.COPYFILE_FICLONE);
  if (process.getuid?.() !== 0) return { folder, programs, as: {} };
  const [uid, gid] = ['-u', '-g'].map(flag => Number(execFileSync('id', [flag, 'nobody']))) as [
    number,
    number,
  ];
  chownSync(folder, uid, gid);
  chmodSync(parent, 0o755);
  for (const path of readable) execFileSync('chmod', ['-R', 'a+rX', path]);
  return { folder, programs, as: { uid, gid } };
}
