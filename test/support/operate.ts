/** Runs test/package/operate.sh over an installed package. */
import { execFile } from 'node:child_process';
import { copyFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ordinaryUser } from './ordinary-user.ts';
import { type Scope, temporaryFolder } from './scope.ts';

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const MAX_MS = 120_000;

/** Of what the script prints: how its steps ended. A command that fails ends it. */
export const OPERATED =
  /by user [1-9].*under load: \d{3,} answered, 0 not\n.*again: 2500 API keys\n.*restored: .*\n$/s;

/** Returns what it prints. Rejects when a step fails. The user gets the right to read these folders, with what is in them. */
export async function operate(
  scope: Scope,
  {
    command,
    readable,
    node = process.execPath,
  }: { command: string; readable: readonly string[]; node?: string },
): Promise<string> {
  const files = temporaryFolder(scope);
  const inFiles = {
    'operate.sh': 'test/package/operate.sh',
    'load.mjs': 'test/package/load.mjs',
    'api-keys.jsonl': 'examples/api-keys.jsonl',
  };
  for (const [name, path] of Object.entries(inFiles)) copyFileSync(root(path), join(files, name));
  const { folder, programs, as } = ordinaryUser(scope, [files, ...readable], node);
  symlinkSync(command, join(programs, 'keyroster'));
  const env = { PATH: `${programs}:/usr/bin:/bin`, HOME: folder };
  const options = { cwd: folder, env, ...as, timeout: MAX_MS };
  const { stdout } = await promisify(execFile)('/bin/sh', [join(files, 'operate.sh')], options);
  return stdout;
}
