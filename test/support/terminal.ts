/** Commands on a terminal of their own, by util-linux's `script`. */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));

const found = spawnSync('script', ['--version'], { encoding: 'utf8' });
/** Why there is no terminal to test on; `false` where there is one. */
export const noTerminal: string | false = /util-linux/.test(found.stdout ?? '')
  ? false
  : "util-linux's script, which makes a terminal, is not on this machine";

/** `keyroster …` as a word list for the shell. */
export const shellCommand = (args: readonly string[]) =>
  [process.execPath, BIN, ...args].map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

interface Terminal {
  readonly columns?: number;
  /** Standard output goes elsewhere. */
  readonly elsewhere?: boolean;
  /** Typed into it, once this was shown. */
  readonly typed?: { readonly after: RegExp; readonly text: string };
}

/** Everything that the terminal shows, standard error included. Fails unless the exit code is 0. */
export function onTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { elsewhere = false, ...terminal }: Terminal = {},
): Promise<string> {
  return lineOnTerminal(`exec ${shellCommand(args)} ${elsewhere ? '>/dev/null' : ''}`, env, terminal);
}

/**
 * As `onTerminal`, for a line of the shell. The environment is this one only: what a machine may set besides
 * (`CI`, `FORCE_COLOR`, `NODE_DISABLE_COLORS`) decides whether Node colours a terminal's text.
 */
export function lineOnTerminal(
  line: string,
  env: Readonly<Record<string, string>>,
  { columns = 80, typed }: Omit<Terminal, 'elsewhere'> = {},
): Promise<string> {
  const child = spawn('script', ['-qec', `stty cols ${columns}; ${line}`, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm-256color', ...env },
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

/** Runs this in bash, which tells with `PIPESTATUS` how each part of a pipe ended. */
export function bash(script: string, env: Readonly<Record<string, string>>) {
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { stdout, stderr, status };
}
