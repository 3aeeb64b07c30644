/** A Node that is too old for the command line. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Scope, temporaryFolder } from './scope.ts';

/** As the bin.ts of both programs and scripts/check-install.cjs have it. */
export const OLDEST_NODE = '24.7';
/** As src/admin/cli/bin.ts has it: the first one that takes a proxy from the environment, and has SQLite for `diff`. */
export const OLDEST_FOR_ADMIN = '22.21';

/** The first one on the PATH; without any, this one, which reports an older version. `env` is what it needs, `told` for diagnostics. */
export function olderNode(scope: Scope, oldest: string = OLDEST_NODE) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, 'node');
    try {
      accessSync(path, constants.X_OK);
      const version = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
      if (Number.parseInt(version, 10) < Number.parseInt(oldest, 10))
        return { path, version, env: {}, told: `run by Node ${version}` };
    } catch {
      // no Node in this folder
    }
  }
  const version = '20.19.0';
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --require="${pretendingModule(scope, version)}"`;
  const told = 'no older Node found: run by this one, which reports an older version';
  return { path: process.execPath, version, env: { NODE_OPTIONS }, told };
}

/** A module that is loaded before a program and sets `process.versions.node` to this version. */
export function pretendingModule(scope: Scope, version: string): string {
  const file = join(temporaryFolder(scope), 'pretend-version.cjs');
  const versions = `{ ...process.versions, node: '${version}' }`;
  writeFileSync(file, `Object.defineProperty(process, 'versions', { value: ${versions} });\n`);
  return file;
}
