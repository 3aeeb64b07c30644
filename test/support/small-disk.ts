/** A small disk that can fill up: a file system in memory. Needs root on a machine that allows mounts. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEndOf, type Scope, temporaryFolder } from './scope.ts';

/** `false` where a small disk can be mounted, else the reason for `skip`. */
export const noSmallDisk: string | false = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'keyroster-test-'));
  try {
    mount(folder, 'size=1m');
    unmount(folder);
    return false;
  } catch {
    return 'needs the right to mount a tmpfs (root)';
  } finally {
    rmdirSync(folder);
  }
})();

export function smallDisk(scope: Scope, megabytes: number, inodes = 0) {
  const folder = temporaryFolder(scope);
  mount(folder, `size=${megabytes}m,nr_inodes=${inodes}`); // 0: as many as there is room for
  atEndOf(scope, () => unmount(folder));
  return { folder, grow: (megabytes: number) => mount(folder, `remount,size=${megabytes}m`) };
}

function mount(folder: string, options: string): void {
  run('mount', '-t', 'tmpfs', '-o', options, 'keyroster-test', folder);
}

function unmount(folder: string): void {
  run('umount', folder);
}

function run(command: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
}
