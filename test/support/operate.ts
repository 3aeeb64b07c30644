/** Runs test/package/operate.sh over an installed package. */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, constants, copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ProgramName } from './command-line.ts';
import { nobodyForRoot } from './nobody.ts';
import { type Scope, temporaryFolder } from './scope.ts';

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const MAX_MS = 120_000;

/** Of what the script prints: how its steps ended. A command that fails ends it. */
export const OPERATED =
  /by user [1-9].*under load: \d{3,} answered, 0 not\n.*again: 2500 API keys\n.*restored: .*\n$/s;

/**
 * Runs it with these two programs. Returns what it prints, and the folder with its store and `admin-key.txt`. Rejects when a step
 * fails. The user gets the right to read these folders, with what is in them.
 */
export async function operate(
  scope: Scope,
  {
    commands,
    readable,
    node = process.execPath,
  }: { commands: Readonly<Record<ProgramName, string>>; readable: readonly string[]; node?: string },
): Promise<{ readonly printed: string; readonly folder: string }> {
  const files = temporaryFolder(scope);
  const inFiles = {
    'operate.sh': 'test/package/operate.sh',
    'load.mjs': 'test/package/load.mjs',
    'api-keys.jsonl': 'examples/api-keys.jsonl',
  };
  for (const [name, path] of Object.entries(inFiles)) copyFileSync(root(path), join(files, name));
  const { folder, programs, as } = ordinaryUser(scope, [files, ...readable], node);
  for (const [name, command] of Object.entries(commands)) symlinkSync(command, join(programs, name));
  const NODE_COMPILE_CACHE = join(folder, 'compiled');
  const env = { PATH: `${programs}:/usr/bin:/bin`, HOME: folder, NODE_COMPILE_CACHE };
  const options = { cwd: folder, env, ...as, timeout: MAX_MS };
  const { stdout: printed } = await promisify(execFile)('/bin/sh', [join(files, 'operate.sh')], options);
  return { printed, folder };
}

/**
 * Who runs it: nobody where root runs the tests, else whoever does. Has an empty folder, and one of programs with `node`. May read
 * these folders too, with what is in them.
 */
function ordinaryUser(scope: Scope, readable: readonly string[], node: string) {
  const parent = temporaryFolder(scope);
  const [folder, programs] = [join(parent, 'empty'), join(parent, 'programs')];
  for (const path of [folder, programs]) mkdirSync(path);
  // Nobody can't read root's folders.
  copyFileSync(node, join(programs, 'node'), constants.COPYFILE_FICLONE);
  const nobody = nobodyForRoot();
  if (!nobody) return { folder, programs, as: {} };
  const [uid, gid] = nobody;
  chownSync(folder, uid, gid);
  chmodSync(parent, 0o755);
  for (const path of readable) execFileSync('chmod', ['-R', 'a+rX', path]);
  return { folder, programs, as: { uid, gid } };
}
