/**
 * Many command lines, one after the other in one process, which takes milliseconds each. For tests that don't look at the process:
 * signals, streams and terminals need one of their own (`command-line.ts`).
 */

import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import type { Finished, ProcessOptions } from './command-line.ts';
import {
  COMMAND_PROCESSES,
  type CommandLine,
  type CommandProcess,
  type Commands,
  commandsAt,
  startCommandProcess,
  startSharedProcess,
} from './command-processes.ts';

/** Of a command with `columns`: both streams, in the order of what was written. */
export type OnTerminal = Finished & { readonly shown: string };

let commands: Promise<Commands> | undefined;
let own: CommandProcess | undefined;
let last: Promise<unknown> = Promise.resolve();
after(async () => {
  (await commands)?.leave();
  await own?.end();
});

/** As `keyroster` of `command-line.ts`, in the one process that the test file has for it. */
export function runCommand(
  args: readonly string[],
  options: Omit<CommandLine, 'args'> = {},
): Promise<Finished> {
  commands ??= freeProcess();
  const next = Promise.all([commands, last]).then(([{ run }]) => run({ args, ...options }));
  last = next.catch(() => {});
  return next;
}

/** One of the run's, or a new one for a test file that is run by itself. */
async function freeProcess(): Promise<Commands> {
  for (const path of process.env[COMMAND_PROCESSES]?.split(' ') ?? []) {
    const free = await commandsAt(path);
    if (free) return free;
  }
  own = await startSharedProcess();
  return (await commandsAt(own.path)) as Commands;
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
  return (finished as OnTerminal).shown;
}

/** `log` is what the process wrote by other ways, such as the log of `serve`. */
export async function runManyCommands(
  lines: readonly CommandLine[],
  options: ProcessOptions,
): Promise<{ readonly finished: readonly Finished[]; readonly log: string }> {
  const { path, child, end } = await startCommandProcess(options);
  const unseen = Promise.all([child.stdout, child.stderr].map(stream => stream && text(stream)));
  const { run, leave } = (await commandsAt(path)) as Commands;
  const finished: Finished[] = [];
  for (const line of lines) finished.push(await run(line));
  leave();
  await end();
  return { finished, log: (await unseen).join('') };
}

/** Asserts this exit code, an empty standard output, and one line with the message, perhaps followed by hints in parentheses. */
export function assertFailed({ exitCode, stdout, stderr }: Finished, code: 1 | 2 | 3, message: RegExp): void {
  assert.match(stderr, /^keyroster(?:-admin)?: [^\n]+\n(\([^\n]+\)\n)*$/);
  assert.match(stderr, message);
  assert.deepEqual([exitCode, stdout], [code, '']);
}
