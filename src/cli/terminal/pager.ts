/** A pager on a terminal, as git has it. It starts with the first output, so that a prompt and a progress bar are before it. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { Option } from 'commander';
import { isDumb } from './dumb.ts';

export const noPagerOption = () =>
  new Option(
    '--no-pager',
    'print straight to the terminal (default: through KEYROSTER_PAGER, PAGER or less)',
  );

/** What commander makes of `--no-pager`. */
export interface PagerFlags {
  readonly pager: boolean;
}

/** Quits where all fits the screen, shows colours, and leaves what it showed on the screen. */
const LESS_FLAGS = 'FRX';
/** What is printed is in UTF-8 in any locale; `less` would show the bytes of a character, and break the row. */
const LESSCHARSET = 'utf-8';
/** Where it isn't installed, nothing is said: nobody asked for it. */
const DEFAULT_PAGER = 'if command -v less >/dev/null; then less; else cat; fi';

let command: string | undefined;
let pager: ChildProcess | undefined;
let passesColours = true;
const ignoreInterrupt = () => {};

/** Has the command's standard output go through a pager, where that is a terminal. */
export function pageOutput({ pager: isWanted }: PagerFlags): void {
  if (!isWanted || !process.stdout.isTTY || process.platform === 'win32' || isDumb()) return;
  const { KEYROSTER_PAGER, PAGER } = process.env;
  const named = (KEYROSTER_PAGER ?? PAGER)?.trim();
  command = named === '' || named === 'cat' ? undefined : (named ?? DEFAULT_PAGER);
  passesColours = command === undefined || named === undefined || /^(\S*\/)?less(\s|$)/.test(named);
}

/** Another pager than `less` may show the escape sequences, or count them as width and break the rows. */
export function keepsColours(): boolean {
  return passesColours;
}

/** Whether a pager has the screen, so that nothing else may draw on it. */
export function isPaging(): boolean {
  return pager !== undefined;
}

/** Where the command's output goes. Starts the pager that is asked for. */
export function standardOutput(): Writable {
  if (command !== undefined) pager = start(command);
  command = undefined;
  return pager?.stdin ?? process.stdout;
}

/**
 * Runs it in a shell, as its text may have any flags. A pager that isn't there (127), or that the shell may not run (126, also where
 * it may not look into a folder of PATH), has read nothing, so `cat` prints all. The shell outlives Ctrl-C, which is for the pager,
 * but resets it for the pager; so do we.
 */
function start(text: string): ChildProcess {
  const started = spawn('sh', ['-c', `trap : INT\n${text}\ncase $? in 126|127) exec cat; esac`], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: LESS_FLAGS, LESSCHARSET, ...withoutAdminKey(process.env) },
  });
  started.once('exit', quit);
  started.stdin?.on('error', () => {}); // it has read what it wants, and may still show it
  process.on('SIGINT', ignoreInterrupt);
  for (const signal of ENDING) process.on(signal, endBy);
  return started;
}

/** A pager may run any program that its reader asks for. */
function withoutAdminKey({ KEYROSTER_ADMIN_KEY: _, ...others }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return others;
}

const ENDING = ['SIGTERM', 'SIGHUP'] as const;

/** The shell would share the terminal with a pager that outlives us. */
async function endBy(signal: NodeJS.Signals): Promise<void> {
  await endPager();
  process.kill(process.pid, signal);
}

/** Whoever quits the pager has seen enough. The exit code is that of what was found so far. */
function quit(): void {
  process.exit();
}

/** Waits until the pager has ended. */
export async function endPager(): Promise<void> {
  command = undefined;
  if (pager === undefined) return;
  pager.off('exit', quit);
  const closed = new Promise(resolve => pager?.once('close', resolve));
  pager.stdin?.end();
  if (pager.exitCode === null && pager.signalCode === null) await closed;
  process.off('SIGINT', ignoreInterrupt);
  for (const signal of ENDING) process.off(signal, endBy);
  pager = undefined;
}
