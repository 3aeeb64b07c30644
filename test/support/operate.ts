/** Runs test/package/operate.sh over an installed package. */
import { execFile } from 'node:child_process';
import { copyFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ordinaryUser } from './ordinary-user.ts';
import type { ProgramName } from './programs.ts';
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
