import { Command, CommanderError } from 'commander';
import { Refused } from '../record/faults.ts';
import { printableName } from '../record/fields.ts';
import { VERSION } from '../version.ts';
import { UsageError } from './command.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { warnOfMisspeltVariables } from './misspelt-variables.ts';
import { endOutput, printError, printErrorText, printText } from './terminal/print.ts';
import { endUnfinished } from './terminal/when-interrupted.ts';

/**
 * The commands of a program, in the order of the help. The module of a command is loaded when the command is called, with all that it
 * needs: most of the time that a short command takes is loading.
 */
export type Commands = Readonly<Record<string, () => Promise<Command>>>;

export interface Program {
  readonly name: string;
  readonly description: string;
  readonly commands: Commands;
  /** The program beside it, and what it is called for: somebody may call this one instead. */
  readonly other: { readonly name: string; readonly package: string; readonly commands: readonly string[] };
  /** Other variables than those of both programs. */
  readonly variables?: () => Promise<readonly string[]>;
  /** What a failure means that only this program has; `undefined`: it is none of its own. */
  readonly failureOf: (error: Error) => Failure | undefined;
}

/** A failure that is told by its message alone. */
export interface Failure {
  readonly message: string;
  readonly exitCode: number;
}

/** Runs one command line, and sets the exit code. */
export async function runProgram(
  program: Program,
  argv: readonly string[],
  { warns = true } = {},
): Promise<void> {
  const { name, other } = program;
  const [first = '', second = ''] = argv.slice(2);
  const called = first === 'help' ? second : first;
  if (other.commands.includes(called)) {
    printError(`${name}: ${called} is a command of ${other.name} (the package ${other.package})`);
    process.exitCode = EXIT_CODES.wrongUsage;
    return;
  }
  ignoreEmptyVariables();
  if (warns) await warnOfMisspeltVariables(name, program.variables);
  const command = await buildCommand(program, first);
  ignoreFlagsSetToNo(command);
  endWhenOutputFails(name);
  try {
    await command.parseAsync(argv);
    endOutput();
  } catch (error) {
    endOutput();
    process.exitCode = report(program, error);
  }
}

/** An empty variable is what a deployment's file makes of one that isn't set: an empty host would be every address. */
function ignoreEmptyVariables(): void {
  for (const [name, value] of Object.entries(process.env))
    if (name.startsWith('KEYROSTER_') && value === '') delete process.env[name];
}

/** The variable of a flag, which commander takes for set whatever its value is. */
function ignoreFlagsSetToNo(program: Command): void {
  for (const command of withSubcommands(program))
    for (const option of command.options) {
      const { envVar, negate, required, optional } = option;
      const isFlag = envVar !== undefined && !required && !optional;
      if (!isFlag || !/^(false|0|no|off)$/i.test(process.env[envVar] ?? '')) continue;
      delete process.env[envVar];
      command.setOptionValueWithSource(option.attributeName(), negate, 'env');
    }
}

/**
 * The command with its options, or all commands where none has that name: for the help, and for what a mistyped one is like. What
 * commander prints is made printable too, and has no admin key.
 */
export async function buildCommand(program: Program, called = ''): Promise<Command> {
  const { name, description, commands } = program;
  const all = new Command(name)
    .description(description)
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print how to use it');
  for (const load of Object.hasOwn(commands, called) ? [commands[called]] : Object.values(commands))
    if (load) all.addCommand(await load());
  for (const command of withSubcommands(all)) {
    refuseFlagsGivenTwice(command);
    const order = command === all ? '; options follow the command' : '';
    command.exitOverride().showHelpAfterError(`(--help shows how${order})`);
    command.configureOutput({
      writeOut: printText,
      writeErr: printErrorText,
      outputError: (text, write) => write(usageMessage(name, text)),
    });
  }
  return all;
}

/** Otherwise the last one would win: a gate with two bounds would silently have the wider one. */
function refuseFlagsGivenTwice(command: Command): void {
  for (const option of command.options) {
    if (option.variadic || (option.parseArg && !option.argChoices)) continue; // each of its values counts
    let given = false;
    command.on(`option:${option.name()}`, () => {
      if (given) throw new UsageError(`${option.long}: must be given once`);
      given = true;
    });
  }
}

/** Commander repeats an unknown word as it came, `--option=VALUE` and all; a secret must not be repeated. */
function usageMessage(name: string, text: string): string {
  const wrongVariable = /(' value )'([\s\S]*)'( from env '\w+' is invalid)/;
  const wrongArgument = /((?:' argument|command-argument value) )'([\s\S]*)'( is invalid)/;
  const unknownWord = /(unknown (?:option|command) )'(-*)([^'=]*)[^']*'/;
  return text
    .replace(/^error: /, `${name}: `)
    .replace(unknownWord, (_, what, dashes, word) => `${what}'${dashes}${printableName(word)}'`)
    .replace(wrongVariable, repeatedIfPrintable)
    .replace(wrongArgument, repeatedIfPrintable);
}

function repeatedIfPrintable(_: string, before: string, value: string, after: string): string {
  return `${before}'${printableName(value)}'${after}`;
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/**
 * Output that can't be written ends the command. `keyroster … | head` is no failure: the reader has what it wanted. But the exit code
 * is that of what was found before: a report that breaks a policy fails for a pipeline too.
 */
function endWhenOutputFails(name: string): void {
  process.stdout.once('error', error => {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit();
    endUnfinished();
    printError(`${name}: can't write to standard output: ${error.message}`);
    process.exit(EXIT_CODES.failed);
  });
  process.stderr.on('error', () => {}); // there is nowhere left to say it
}

function report({ name, failureOf }: Program, error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.wrongUsage; // it has printed its message
  const known = error instanceof Error ? (failureOf(error) ?? knownFailure(error)) : undefined;
  printError(`${name}: ${known?.message ?? (error instanceof Error ? error.message : String(error))}`);
  if (!known && process.env.KEYROSTER_DEBUG) printErrorText(`${(error as Error).stack}\n`);
  return known?.exitCode ?? EXIT_CODES.failed;
}

function knownFailure(error: Error): Failure | undefined {
  const { message } = error;
  if (error instanceof UsageError) return { message, exitCode: EXIT_CODES.wrongUsage };
  return error instanceof Refused ? { message, exitCode: EXIT_CODES.failed } : undefined;
}
