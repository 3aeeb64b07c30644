import type { Command, Option } from 'commander';

/** What a shell completes of a command. */
export interface CompletedCommand {
  /** As it is called, without `keyroster`: `''`, `list`, `organizations create`. */
  readonly call: string;
  readonly subcommands: readonly Described[];
  readonly options: readonly CompletedOption[];
  /** What its arguments are; `none` also where it has none. */
  readonly argument: CompletedValue;
}

interface Described {
  readonly name: string;
  readonly description: string;
}

export interface CompletedOption {
  /** `--profile`, or `--profile` and `-p`. */
  readonly names: readonly string[];
  readonly description: string;
  /** `none`: it is a flag. */
  readonly value: CompletedValue;
}

/** `text`: nothing is known of it. */
export type CompletedValue = 'none' | 'text' | 'file' | readonly string[];

/** The names of arguments that are files, as the help shows them. */
const FILES = ['file', 'log', 'old', 'new'];

/** The command and all commands below it. */
export function completedCommands(command: Command, call = ''): CompletedCommand[] {
  const subcommands = command.createHelp().visibleCommands(command);
  const completed = {
    call,
    subcommands: subcommands.map(each => ({ name: each.name(), description: each.description() })),
    options: command.createHelp().visibleOptions(command).map(completedOption),
    argument: argumentOf(command),
  };
  const below = command.commands.flatMap(each => completedCommands(each, `${call} ${each.name()}`.trim()));
  return [completed, ...below];
}

function argumentOf({ registeredArguments: [first] }: Command): CompletedValue {
  if (first === undefined) return 'none';
  return first.argChoices ?? (FILES.includes(first.name()) ? 'file' : 'text');
}

function completedOption(option: Option): CompletedOption {
  const names = [option.long, option.short].filter(name => name !== undefined && name !== null);
  return { names, description: option.description, value: completedValue(option) };
}

function completedValue({ required, optional, argChoices, flags }: Option): CompletedValue {
  if (!required && !optional) return 'none';
  return argChoices ?? (/<file>/.test(flags) ? 'file' : 'text');
}

/** In single quotes, as each of the shells reads it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
