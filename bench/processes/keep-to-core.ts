import { execFileSync } from 'node:child_process';

/** Lets a process with all its threads run on this core alone. Elsewhere than on Linux it only says that it can't. */
export function keepToCore(pid: number, core: number): void {
  try {
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    process.stderr.write(`taskset is not installed: process ${pid} is NOT kept to one core\n`);
  }
}
