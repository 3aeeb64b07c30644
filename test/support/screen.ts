/** What a command shows on a terminal: a pseudo-terminal by util-linux's `script`, drawn by the terminal emulator of xterm.js. */
import { spawn } from 'node:child_process';
import headless from '@xterm/headless';
import { shellCommand } from './terminal.ts';

interface Screen {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Typed one after another, each once the screen shows its text. */
  readonly keys?: readonly { readonly after: RegExp; readonly type: string }[];
}

interface Shown {
  /** The lines that the terminal has at the end, those that have moved out of its top included. */
  readonly screen: string;
  /** What it had when each of the keys was typed. */
  readonly before: readonly string[];
  readonly exitCode: number | null;
}

/** In scrollback: as many as a test prints. */
const MAX_LINES = 10_000;

/** Runs a shell command line, or `keyroster …`, until its end. The environment has nothing else than `env` (`lineOnTerminal`). */
export async function screenOf(
  command: string | readonly string[],
  { columns = 80, rows = 24, env = {}, keys = [] }: Screen = {},
): Promise<Shown> {
  const terminal = newTerminal(columns, rows);
  const line = typeof command === 'string' ? command : `exec ${shellCommand(command)}`;
  const child = spawn('script', ['-qec', `stty cols ${columns} rows ${rows}; ${line}`, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...compileCache, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  const left = [...keys];
  const before: string[] = [];
  const type = () => {
    const [next] = left;
    if (!next?.after.test(textOf(terminal))) return;
    left.shift();
    before.push(textOf(terminal));
    child.stdin.write(next.type);
  };
  child.stdin.on('error', () => {}); // the command may end first
  child.stdout.on('data', bytes => terminal.write(bytes, type));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  child.stdin.destroy();
  await new Promise<void>(drawn => terminal.write('', drawn));
  return { screen: textOf(terminal), before, exitCode };
}

/** The lines that a terminal has once it has drawn this text. */
export async function drawn(text: string, columns: number): Promise<string> {
  const terminal = newTerminal(columns, 24);
  await new Promise<void>(resolve => terminal.write(text, resolve));
  return textOf(terminal);
}

const newTerminal = (cols: number, rows: number) =>
  new headless.Terminal({ cols, rows, scrollback: MAX_LINES, convertEol: true, allowProposedApi: true });

/** As `lineOnTerminal`: without it a command takes twice the time. */
const { NODE_COMPILE_CACHE } = process.env;
const compileCache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/** Without empty lines at the end. */
function textOf({ buffer: { active } }: headless.Terminal): string {
  const lines = Array.from(
    { length: active.length },
    (_, row) => active.getLine(row)?.translateToString(true) ?? '',
  );
  return lines.join('\n').trimEnd();
}
