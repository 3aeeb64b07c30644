import { execFileSync } from 'node:child_process';

/** Who runs for root what refuses to run as root, or has to be an ordinary user; `null` where another user runs the tests. */
export function nobodyForRoot(): [uid: number, gid: number] | null {
  if (process.getuid?.() !== 0) return null;
  return ['-u', '-g'].map(flag => Number(execFileSync('id', [flag, 'nobody']))) as [number, number];
}
