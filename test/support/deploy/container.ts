/**
 * Runs a built image by the means of the kernel that engines use: process 1 of its own processes, its own `/` that is read-only
 * but for /data, the image's user without rights. The network is this machine's. Needs root on Linux.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { endOf, outputOf } from '../child.ts';
import { MAX_RUN_MS } from '../command-line.ts';
import type { Scope } from '../scope.ts';
import { until } from '../until.ts';
import type { Image } from './image.ts';

/** `false` where containers can be run, else the reason for `skip`. */
export const noContainers: string | false =
  spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0
    ? false
    : 'needs the right to unshare and chroot (root on Linux)';

export interface ContainerOptions {
  /** Added to those of the image. */
  readonly env?: Readonly<Record<string, string>>;
  /** What is `/data`; the image's own empty folder when left out. */
  readonly data?: string;
  readonly input?: string;
}

const AS_AN_ENGINE_DOES = `
  set -e
  image=$1 user=$2 data=$3; shift 3
  mount --bind "$image" "$image"
  mount --rbind /dev "$image/dev"
  mount -t proc proc "$image/proc"
  mount -o remount,bind,ro "$image"
  if [ -n "$data" ]; then mount --bind "$data" "$image/data"; fi
  exec setpriv --no-new-privs /usr/sbin/chroot --userspec="$user" --groups= "$image" "$@"`;

export function startContainer(
  scope: Scope,
  image: Image,
  command: readonly string[],
  { env = {}, data = '', input = '' }: ContainerOptions = {},
) {
  const own = ['--mount', '--pid', '--fork', '--kill-child=KILL'];
  const args = [...own, 'sh', '-c', AS_AN_ENGINE_DOES, 'sh', image.folder, image.user, data, ...command];
  const child = spawn('unshare', args, {
    env: { ...image.env, ...env },
    stdio: 'pipe',
    timeout: MAX_RUN_MS,
    killSignal: 'SIGKILL',
  });
  child.stdin.end(input);
  const [output, stderr] = [outputOf(child.stdout), outputOf(child.stderr)];
  const ended = endOf(scope, child).then(exitCode => ({ exitCode, stderr: stderr() }));
  return {
    output,
    /** Waits for text on standard output. Rejects when the process ends without it. */
    printed: async (pattern: RegExp) => {
      const look = () => {
        const found = pattern.exec(output());
        if (!found && child.exitCode !== null) throw new Error(`it ended: ${output()}${stderr()}`);
        return found;
      };
      return until(`it printed ${pattern}`, look);
    },
    /** Sends a signal to process 1. */
    signal: (signal: NodeJS.Signals) => process.kill(processOne(child), signal),
    ended,
  };
}

/** As this machine numbers it. */
function processOne({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
}

/** Runs the command that an image is for, with these arguments, to its end. */
export async function runContainer(
  scope: Scope,
  image: Image,
  args: readonly string[],
  options: ContainerOptions = {},
) {
  const container = startContainer(scope, image, [...image.entrypoint, ...args], options);
  const { exitCode, stderr } = await container.ended;
  return { exitCode, stdout: container.output(), stderr };
}
