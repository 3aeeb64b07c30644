import { Command, CommanderError } from 'commander';
import { KeyrosterError } from '../client/client.ts';
import { Refused, StoreUnavailable } from '../roster/errors.ts';
import { printableName } from '../roster/printable-name.ts';
import { adminKeysCommand } from './commands/admin-keys.ts';
import { adoptCommand } from './commands/adopt.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommand } from './commands/backup.ts';
import { checkCommand } from './commands/check.ts';
import { demoCommand } from './commands/demo.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { listCommand } from './commands/list.ts';
import { migrateCommand } from './commands/migrate.ts';
import { organizationsCommand } from './commands/organizations.ts';
import { reportCommand } from './commands/report.ts';
import { serveCommand } from './commands/serve.ts';
import { setStatusCommand } from './commands/set-status.ts';
import { UsageError } from './options/usage-error.ts';
import { printError, printErrorText, printText } from './terminal/print.ts';

const FAILURE = 1;
const WRONG_USAGE = 2;

/** Runs one command line. Sets the exit code: 0, 1 for a failure, 2 for wrong usage. */
export async function main(argv: readonly string[]): Promise<void> {
  ignoreEmptyVariables();
  const program = buildProgram();
  ignoreFlagsSetToNo(program);
  endQuietlyWhenTheReaderLeaves();
  try {
    await program.parseAsync(argv);
  } catch (error) {
    process.exitCode = report(error);
  }
}

/** An empty variable is what a deployment's file makes of one that isn't set: an empty host would be every address. */
function ignoreEmptyVariables(): void {
  for (const [name, value] of Object.entries(process.env))
    if (name.startsWith('KEYROSTER_') && value === '') delete process.env[name];
}

/** The variable of a flag, which commander takes for set whatever its value is. */
function ignoreFlagsSetToNo(program: Command): void {
  for (const { envVar, required, optional } of withSubcommands(program).flatMap(command => command.options)) {
    const isFlag = envVar !== undefined && !required && !optional;
    if (isFlag && /^(false|0|no|off)$/i.test(process.env[envVar] ?? '')) delete process.env[envVar];
  }
}

/** All commands with their options. What commander prints is made printable too, and has no admin key. */
export function buildProgram(): Command {
  const program = new Command('keyroster').description(
    "Lists an organization's API keys: exact pages, constant cost, no key material.",
  );
  const commands = [
    demoCommand(),
    serveCommand(),
    migrateCommand(),
    organizationsCommand(),
    adminKeysCommand(),
    importCommand(),
    exportCommand(),
    adoptCommand(),
    setStatusCommand(),
    auditCommand(),
    backupCommand(),
    checkCommand(),
    listCommand(),
    reportCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  for (const command of withSubcommands(program)) {
    command.exitOverride().showHelpAfterError('(--help shows how)');
    command.configureOutput({
      writeOut: printText,
      writeErr: printErrorText,
      outputError: (text, write) => write(usageMessage(text)),
    });
  }
  return program;
}

/** Commander repeats an unknown word as it came, `--option=VALUE` and all; a secret must not be repeated. */
function usageMessage(text: string): string {
  const unknownWord = /(unknown (?:option|command) )'(-*)([^'=]*)[^']*'/;
  return text
    .replace(/^error: /, 'keyroster: ')
    .replace(unknownWord, (_, what, dashes, name) => `${what}'${dashes}${printableName(name)}'`);
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** `keyroster … | head`: the reader has what it wanted. */
function endQuietlyWhenTheReaderLeaves(): void {
  process.stdout.on('error', error => {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit(0);
    throw error;
  });
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE; // it has printed its message
  const message = messageOf(error);
  printError(`keyroster: ${message}`);
  if (error instanceof UsageError) return WRONG_USAGE;
  const expected = [Refused, StoreUnavailable, KeyrosterError].some(known => error instanceof known);
  if (!expected && process.env.KEYROSTER_DEBUG) printErrorText(`${(error as Error).stack}\n`);
  return FAILURE;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const answered = error instanceof KeyrosterError && error.requestId !== null;
  return answered ? `${error.message} (${error.type}, ${error.requestId})` : error.message;
}
