/**
 * Many command lines, one after the other in one process, which takes milliseconds each. For tests that don't look at the process:
 * signals, streams and terminals need one of their own (`command-line.ts`).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Finished, MAX_RUN_MS, type ProcessOptions, spawnOptions } from './command-line.ts';
import type { ProgramName } from './programs.ts';

const MANY_COMMANDS = fileURLToPath(new URL('./many-commands.ts', import.meta.url));

export interface CommandLine {
  readonly args: readonly string[];
  /** By default the one that has the command. */
  readonly program?: ProgramName;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** Of the terminal that the output is for; without it it is for a pipe. */
  readonly columns?: number;
}

let shared: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();
after(() => shared && end(shared));

/** As `keyroster` of `command-line.ts`, in the one process that the test file has for it. */
export function runCommand(
  args: readonly string[],
  options: Omit<CommandLine, 'args'> = {},
): Promise<Finished> {
  shared ??= unread(start({}));
  const child = shared;
  const next = last.then(() => run(child, { args, ...options }));
  last = next.catch(() => {});
  return next;
}

/**
 * What a command shows on a terminal of so many columns, its messages included. Where a terminal itself matters, as for a question, a
 * signal, a command needs a real one (`terminal.ts`).
 */
export async function runOnTerminal(
  args: readonly string[],
  { columns = 80, env = {} }: Pick<CommandLine, 'columns' | 'env'> = {},
): Promise<string> {
  const terminal = { TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const finished = await runCommand(args, { columns, env: { ...terminal, ...env } });
  return (finished as Finished & { readonly shown: string }).shown;
}

/** `log` is what the process wrote by other ways, such as the log of `serve`. */
export async function runManyCommands(
  lines: readonly CommandLine[],
  options: ProcessOptions,
): Promise<{ readonly finished: readonly Finished[]; readonly log: string }> {
  const child = start(options);
  const unseen = Promise.all([child.stdout, child.stderr].map(stream => stream && text(stream)));
  const finished: Finished[] = [];
  for (const line of lines) finished.push(await run(child, line));
  await end(child);
  return { finished, log: (await unseen).join('') };
}

function start(options: ProcessOptions): ChildProcess {
  const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const;
  return fork(MANY_COMMANDS, { ...spawnOptions(options), stdio: [...stdio], serialization: 'advanced' });
}

/** What is written by other ways, such as a log, must not fill a pipe that nobody reads. */
function unread(child: ChildProcess): ChildProcess {
  child.stdout?.resume();
  child.stderr?.resume();
  return child;
}

async function run(child: ChildProcess, line: CommandLine): Promise<Finished> {
  const name = line.args.join(' ').slice(0, 60);
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_RUN_MS);
  const listening = new AbortController();
  const { signal } = listening;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`the process of keyroster ${name} ended with ${code}`);
  });
  const answer = once(child, 'message', { signal }).then(([finished]) => finished as Finished);
  child.send(line);
  try {
    return await Promise.race([answer, ended]);
  } finally {
    clearTimeout(timer);
    listening.abort();
    Promise.allSettled([answer, ended]);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}
