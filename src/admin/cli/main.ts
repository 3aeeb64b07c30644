import type { Command } from 'commander';
import { KeyrosterError } from '../../client/errors.ts';
import { EXIT_CODES } from '../../shared/command/exit-codes.ts';
import { warnOfMisspeltVariables } from '../../shared/command/misspelt-variables.ts';
import {
  buildCommand,
  type Failure,
  ignoreEmptyVariables,
  type Program,
  runProgram,
} from '../../shared/command/program.ts';

const program: Program = {
  name: 'keyroster-admin',
  description: "Lists your organization's API keys, finds some, and reports on all of them.",
  commands: {
    login: async () => (await import('./commands/login.ts')).loginCommand(),
    logout: async () => (await import('./commands/profiles.ts')).logoutCommand(),
    profiles: async () => (await import('./commands/profiles.ts')).profilesCommand(),
    list: async () => (await import('./commands/list.ts')).listCommand(),
    get: async () => (await import('./commands/get.ts')).getCommand(),
    find: async () => (await import('./commands/find.ts')).findCommand(),
    report: async () => (await import('./commands/report.ts')).reportCommand(),
    diff: async () => (await import('./commands/diff.ts')).diffCommand(),
  },
  failureOf,
};

/** Runs one command line, and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  ignoreEmptyVariables();
  await warnOfMisspeltVariables(program.name);
  await runProgram(program, argv);
}

/** The command with its options, or all where none has that name. */
export const buildProgram = (called = ''): Promise<Command> => buildCommand(program, called);

function failureOf(error: Error): Failure | undefined {
  if (!(error instanceof KeyrosterError)) return undefined;
  const { message, type, requestId, retryAfterSeconds } = error;
  const answered = requestId === null ? '' : ` (${type}, ${requestId})`;
  const later = retryAfterSeconds ? `; try again in ${retryAfterSeconds.toLocaleString('en')} s` : '';
  return { message: `${message}${answered}${later}`, exitCode: EXIT_CODES.failed };
}
