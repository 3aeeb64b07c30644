/** Runs the examples of the docs as a reader would on a terminal, and compares their output with the docs. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BINS, type ProgramName } from './command-line.ts';
import type { CommandLine } from './command-processes.ts';
import type { DocBlock } from './doc-blocks.ts';
import { type OnTerminal, runCommand } from './run-many-commands.ts';
import { type Scope, temporaryFolder } from './scope.ts';
import { lineOnTerminal } from './terminal.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Comes after the output of a command. */
const MARK = '\u241e';
/** Width of the terminal in the docs. */
const COLUMNS = 100;

export type Reader = ReturnType<typeof reader>;
export type Ran = Awaited<ReturnType<Reader['run']>>[number];

/** A reader in a folder that looks like a clone of the project but has its own `data` folder. */
export function reader(scope: Scope, env: Env) {
  const folder = temporaryFolder(scope);
  for (const name of ['src', 'scripts', 'examples', 'node_modules'])
    symlinkSync(join(ROOT, name), join(folder, name));
  // For programs that import 'keyroster'.
  const project = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const exports = './src/service/library/library.ts';
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...project, exports }));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, file] of Object.entries(BINS))
    writeFileSync(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`, { mode: 0o755 });
  const path = `${bin}:${join(folder, 'node_modules/.bin')}:${process.env.PATH}`;
  return readerIn(folder, { PATH: path, NO_COLOR: '1', ...env }, plainCommand);
}

/** A reader in this folder, with these variables. Commands that are `plain` are run in a process that tests share. */
export function readerIn(folder: string, all: Env, plain: typeof plainCommand = () => null) {
  const inShell = async (command: string, before: number, env: Env) => {
    const file = join(folder, 'example.sh');
    writeFileSync(file, `(exit ${before})\n${withEndMark(command)}\n`);
    const shown = await lineOnTerminal(`cd '${folder}' && bash '${file}' || true`, env, { columns: COLUMNS });
    const [printed = '', exitCode] = shown.split(new RegExp(`${MARK}(\\d+)\\r\\n`));
    return { printed: printed.replaceAll('\r\n', '\n'), exitCode: Number(exitCode) };
  };
  const run = async ({ args, program, input }: Plain, env: Env) => {
    const more = { input: input === undefined ? '' : readFileSync(resolve(folder, input)), cwd: folder };
    const finished = await runCommand(args, { program, ...more, columns: COLUMNS, env });
    return { printed: (finished as OnTerminal).shown, exitCode: Number(finished.exitCode) };
  };
  return {
    folder,
    /** Compares what each command prints with what the block shows; without prompts each has to succeed. */
    run: async (block: DocBlock, more: Env = {}) => {
      const shown = isConsole(block.text) ? printedIn(block.text) : [];
      const ran: { command: string; printed: string; exitCode: number }[] = [];
      for (const command of commandsOf(block)) {
        const variables = { ...all, ...more };
        const line = withValues(command);
        const inShared = plain(line, variables);
        const finished = await (inShared
          ? run(inShared, variables)
          : inShell(line, ran.at(-1)?.exitCode ?? 0, variables));
        const [printed, expected] = [withoutProgress(finished.printed), shown[ran.length]];
        const where = `${block.file}:${block.line}: ${command}`;
        if (expected === undefined) assert.equal(finished.exitCode, 0, `${where}: ${printed}`);
        else assertPrinted(printed, expected, where);
        ran.push({ command, ...finished, printed });
      }
      return ran;
    },
  };
}

type Env = Readonly<Record<string, string>>;
type Plain = Pick<CommandLine, 'args'> & {
  readonly program: ProgramName;
  readonly input: string | undefined;
};

/**
 * A command that needs nothing of a shell but words, variables and the file of its input; of npm neither, as
 * `test/operator/checkout.test.ts` runs its scripts. To start a process for each takes longer than all else here.
 */
function plainCommand(line: string, env: Env): Plain | null {
  const found =
    /^(?:npm run -s )?(keyroster(?:-admin)?) (?:-- )?((?!serve\b)[^|&;<>`]*?)(?:<\s*(\S+))?(?:\s+#.*)?$/.exec(
      line,
    );
  if (!found) return null;
  const [, program, rest = '', input] = found;
  const args = [...rest.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, quoted, text = '', word = text]) => quoted ?? word.replace(/\$(\w+)/g, (_, name) => env[name] ?? ''),
  );
  return { args, program: program as ProgramName, input };
}

/** In a block with prompts, each `$ ` starts a command; in others, a command goes on after a backslash, and to the `END` of a file. */
function commandsOf({ text }: DocBlock): string[] {
  const lines = text.trimEnd().split('\n');
  if (isConsole(text)) return lines.filter(line => line.startsWith('$ ')).map(line => line.slice(2));
  return text
    .replaceAll(/\\\n|<<'END'\n[\s\S]*?\nEND$/gm, lines => lines.replaceAll('\n', '\0'))
    .trimEnd()
    .split('\n')
    .map(line => line.replaceAll('\0', '\n'));
}

/** The output in the docs of each command of a block with prompts. */
export const printedIn = (text: string): string[] => text.split(/^\$ .*\n/m).slice(1);

export const isConsole = (text: string) => text.startsWith('$ ');

/** The environment has the values for `export NAME=…`, which a reader fills in. `serve` and `demo` run until their first line is printed. */
function withValues(command: string): string {
  if (/^export \w+=.*…/.test(command)) return ':';
  if (/^export KEYROSTER_BASE_URL=/.test(command)) return ':';
  if (/\b(serve|demo)\b(?=\s*(#|$))/.test(command))
    return `coproc ${command.replace(/#.*/, '')} 2>&1; IFS= read -r line <&"\${COPROC[0]}"; echo "$line"; kill $COPROC_PID; wait $COPROC_PID || true`;
  return command
    .replace(/\badminkey_\w{22}/, '$ADMIN_KEY_ID')
    .replaceAll('http://127.0.0.1:8080', '$KEYROSTER_BASE_URL')
    .replace(/'(\$KEYROSTER_BASE_URL[^']*)'/, '"$1"');
}

/** Prints a mark with the exit code after the command. */
const withEndMark = (command: string) => `${command}\necho "${MARK}$?"`;

/** A progress bar is overwritten, so only its last state is visible. */
const withoutProgress = (shown: string) =>
  shown
    .split('\n')
    .map(line => line.slice(line.lastIndexOf('\x1b[K') + 1).replace(/^\[K/, ''))
    .join('\n');

/** Patterns of what differs from run to run, and their placeholders. */
const varying: readonly [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '<time>'],
  [/"time":\d+,"pid":\d+,"hostname":"[^"]*"/g, '<process>'],
  [/127\.0\.0\.1:\d+/g, '<address>'],
  [/\badminkey_\w{22}/g, '<admin key>'],
  [/\bvendor-admin01-(…|\w+)/g, '<secret>'],
  [/(<admin key> +org_example +\w+ +)\w{4}/g, '$1<end>'],
  [/\borg_\w{22}\b/g, 'org_example'],
  [/\breq_[0-9a-f]{32}/g, '<request>'],
  // The keys of the examples get older.
  [/^((?:\d+|under) [a-z0-9 ]*days(?: and more)?).*$/gm, '$1'],
  [/(\d{4}-\d\d-\d\d) +\d+d?\b/g, '$1 <days>'],
  [/^(API keys of .+, )\S+$/gm, '$1<day>'],
  // The width of a table depends on its contents.
  [/ {2,}/g, '  '],
];

const comparable = (text: string) =>
  varying
    .reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text)
    .replace(/ +$/gm, '')
    .trim();

/** In the expected text, a line `…` matches any lines, and `…` in a line matches any text. */
export function assertPrinted(actual: string, expected: string, where: string): void {
  const found = comparable(actual).split('\n');
  let next = 0;
  let skipping = false;
  for (const line of comparable(expected).split('\n')) {
    if (line === '…') {
      skipping = true;
      continue;
    }
    const pattern = new RegExp(`^${escaped(line).replaceAll('…', '.*')}$`);
    const at = skipping ? found.findIndex((each, index) => index >= next && pattern.test(each)) : next;
    assert.match(
      found[at] ?? '(nothing)',
      pattern,
      `${where} doesn't print "${line}", but: ${found.slice(next, next + 5).join(' / ')}`,
    );
    next = at + 1;
    skipping = false;
  }
  if (!skipping) assert.deepEqual(found.slice(next), [], `${where} prints more`);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
