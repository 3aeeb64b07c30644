/** Runs commands on a pseudo-terminal, with util-linux's `script`. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { binFor, OWN_SETTINGS, spawnOptions } from './command-line.ts';

const found = spawnSync('script', ['--version'], { encoding: 'utf8' });
/** The reason to skip a test that needs a terminal; `false` when there is one. */
export const noTerminal: string | false = /util-linux/.test(found.stdout ?? '')
  ? false
  : "needs util-linux's script, which makes a terminal";

/** `keyroster …` as a shell command, with every word quoted. */
export const shellCommand = (args: readonly string[]) =>
  [process.execPath, binFor(args), ...args].map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

interface Terminal {
  readonly columns?: number;
  /** Text to type once `after` is shown. */
  readonly typed?: { readonly after: RegExp; readonly text: string };
}

/** Everything that the terminal shows, standard error included. Fails unless the exit code is 0. */
export const onTerminal = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  terminal: Terminal = {},
) => lineOnTerminal(`exec ${shellCommand(args)}`, env, terminal);

/** What the global setup has set for the whole run: without them a command takes twice the time. */
const ofTheRun = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^NODE_(COMPILE_CACHE|OPTIONS)$/.test(name)),
);

/**
 * As `onTerminal`, for a shell command line. Inherits nothing else of the environment, because variables that a machine may set
 * (`CI`, `FORCE_COLOR`, `NODE_DISABLE_COLORS`) decide whether Node colours its output.
 */
export function lineOnTerminal(
  line: string,
  env: Readonly<Record<string, string>>,
  { columns = 80, typed }: Terminal = {},
): Promise<string> {
  const child = spawn('script', ['-qec', `stty cols ${columns}; ${line}`, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm-256color', ...OWN_SETTINGS, ...ofTheRun, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  if (!typed) child.stdin.end();
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    shown += text;
    if (typed?.after.test(shown)) child.stdin.end(typed.text);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => (code === 0 ? resolve(shown) : reject(new Error(`${code}: ${shown}`))));
  });
}

/** Runs a script in bash, which has the exit code of each part of a pipe in `PIPESTATUS`. */
export async function bash(script: string, env: Readonly<Record<string, string>>) {
  const child = spawn('bash', ['-c', script], {
    ...spawnOptions({ env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { stdout, stderr, status };
}
