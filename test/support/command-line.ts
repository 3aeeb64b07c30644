/** The command line as its users run it: a real process with its own environment, output and exit code. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { endOf, outputOf } from './child.ts';
import type { Scope } from './scope.ts';

/** A command that hangs fails its test instead of stopping the run. */
export const MAX_RUN_MS = 60_000;

export interface ProcessOptions {
  /** Added to this process's environment, from which the settings of Keyroster and of proxies are removed. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory; by default that of the tests. */
  readonly cwd?: string;
  /** Path of another copy of the program. */
  readonly bin?: string;
}

export interface Finished {
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Running = ReturnType<typeof startKeyroster>;

/** Runs the program that has this command to its end, with this standard input. */
export function keyroster(
  args: readonly string[],
  { input = '', ...options }: ProcessOptions & { readonly input?: string | Uint8Array } = {},
): Promise<Finished> {
  return runNode([binFor(args), ...args], { input, ...options });
}

export async function runNode(
  args: readonly string[],
  {
    input = '',
    node = process.execPath,
    ...options
  }: ProcessOptions & { input?: string | Uint8Array; node?: string } = {},
): Promise<Finished> {
  while (running >= MAX_CONCURRENT) await new Promise<void>(resolve => waiting.push(resolve));
  running += 1;
  try {
    const limits = { timeout: MAX_RUN_MS, killSignal: 'SIGKILL' } as const;
    const child = spawn(node, args, { ...spawnOptions(options), ...limits });
    child.stdin.on('error', () => {}); // a command may end without reading its input
    child.stdin.end(input);
    const [stdout, stderr] = [outputOf(child.stdout), outputOf(child.stderr)];
    const [exitCode] = (await once(child, 'close')) as [number | null]; // rejects where there is no such program
    return { exitCode, stdout: stdout(), stderr: stderr() };
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** Enough to run commands at the same time, but not so many that a small machine only starts processes. */
const MAX_CONCURRENT = 4;
const waiting: (() => void)[] = [];
let running = 0;

/** Starts the program, which is killed at the scope's end unless it has ended before. */
export function startKeyroster(scope: Scope, args: readonly string[], options: ProcessOptions = {}) {
  const child = spawn(process.execPath, [options.bin ?? binFor(args), ...args], spawnOptions(options));
  const [stdout, stderr] = [outputOf(child.stdout), outputOf(child.stderr)];
  const end = endOf(scope, child);
  const lineOf = (stream: Readable, text: () => string, pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const lines = text().split('\n').slice(0, -1);
        const found = lines.map(line => pattern.exec(line)).find(Boolean);
        if (found) resolve(found);
      };
      stream.on('data', look);
      end.then(() =>
        reject(new Error(`ended without a line that matches ${pattern}: ${stdout()}${stderr()}`)),
      );
      look();
    });
  return {
    pid: child.pid as number,
    /** Everything on standard output and standard error so far. */
    output: () => stdout() + stderr(),
    /** Waits for a line of standard output that matches. Rejects when the process ends without one. */
    line: (pattern: RegExp) => lineOf(child.stdout, stdout, pattern),
    /** The same of standard error. */
    errorLine: (pattern: RegExp) => lineOf(child.stderr, stderr, pattern),
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Sends the signal and waits until the process has ended. */
    stop: async (signal: NodeJS.Signals = 'SIGTERM'): Promise<Finished> => {
      child.kill(signal);
      return { exitCode: await end, stdout: stdout(), stderr: stderr() };
    },
  };
}

/**
 * No test may read the developer's own profiles, call a service of the tests through the developer's proxy, or depend on the locale
 * and the colours of the developer's terminal.
 */
export const OWN_SETTINGS = { XDG_CONFIG_HOME: '/dev/null/no-folder', LANG: 'C.UTF-8' } as const;
const OF_THE_DEVELOPER = /^KEYROSTER_|^(https?|all|no)_proxy$|^LC_|^(LANG|LANGUAGE|NO_COLOR|FORCE_COLOR)$/i;

export function spawnOptions({ env = {}, cwd }: ProcessOptions) {
  const inherited = Object.entries(process.env).filter(([name]) => !OF_THE_DEVELOPER.test(name));
  return {
    env: { ...Object.fromEntries(inherited), ...OWN_SETTINGS, ...env },
    ...(cwd !== undefined && { cwd }),
  };
}

const binOf = (part: string) => fileURLToPath(new URL(`../../src/${part}/bin.ts`, import.meta.url));

/** What each program runs. */
export const BINS = { keyroster: binOf('operator'), 'keyroster-admin': binOf('admin/cli') } as const;
export type ProgramName = keyof typeof BINS;

/** The commands of the admin's program, in the order of its help. */
export const OF_ADMIN = 'login logout profiles list get find report diff watch'.split(' ');

/** The program that has the command of these arguments. */
export function programOf([command = '']: readonly string[]): ProgramName {
  return OF_ADMIN.includes(command) ? 'keyroster-admin' : 'keyroster';
}

export const binFor = (args: readonly string[]): string => BINS[programOf(args)];
