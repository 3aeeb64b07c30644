import { Command, CommanderError } from 'commander';
import { KeyrosterError } from '../client/errors.ts';
import { StoreLocked, StoreUnavailable } from '../roster/errors.ts';
import { Refused } from '../roster/faults.ts';
import { printableName } from '../roster/fields.ts';
import { VERSION } from '../version.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { takeSettingsFile } from './options/config-option.ts';
import { warnOfMisspeltVariables } from './options/misspelt-variables.ts';
import { UsageError } from './options/usage-error.ts';
import { thisPlace } from './serve/workers/messages.ts';
import { endOutput, printError, printErrorText, printText } from './terminal/print.ts';
import { endUnfinished } from './terminal/when-interrupted.ts';

/**
 * In the order of the help. The module of a command is loaded when the command is called, with all that it needs: most of the time
 * that a short command takes is loading.
 */
const commandGroups = {
  "The admin's commands, which call a service:": {
    login: async () => (await import('./commands/login.ts')).loginCommand(),
    logout: async () => (await import('./commands/profiles.ts')).logoutCommand(),
    profiles: async () => (await import('./commands/profiles.ts')).profilesCommand(),
    list: async () => (await import('./commands/list.ts')).listCommand(),
    get: async () => (await import('./commands/get.ts')).getCommand(),
    find: async () => (await import('./commands/find.ts')).findCommand(),
    report: async () => (await import('./commands/report.ts')).reportCommand(),
    diff: async () => (await import('./commands/diff.ts')).diffCommand(),
    completion: async () => (await import('./commands/completion.ts')).completionCommand(buildProgram),
  },
  "The operator's commands, over the store:": {
    demo: async () => (await import('./commands/demo.ts')).demoCommand(),
    config: async () => (await import('./commands/config.ts')).configCommand(),
    serve: async () => (await import('./commands/serve.ts')).serveCommand(),
    migrate: async () => (await import('./commands/migrate.ts')).migrateCommand(),
    organizations: async () => (await import('./commands/organizations.ts')).organizationsCommand(),
    'admin-keys': async () => (await import('./commands/admin-keys.ts')).adminKeysCommand(),
    fields: async () => (await import('./commands/fields.ts')).fieldsCommand(),
    import: async () => (await import('./commands/import.ts')).importCommand(),
    imports: async () => (await import('./commands/imports.ts')).importsCommand(),
    feed: async () => (await import('./commands/feed.ts')).feedCommand(),
    export: async () => (await import('./commands/export.ts')).exportCommand(),
    move: async () => (await import('./commands/move.ts')).moveCommand(),
    adopt: async () => (await import('./commands/adopt.ts')).adoptCommand(),
    'set-status': async () => (await import('./commands/set-status.ts')).setStatusCommand(),
    audit: async () => (await import('./commands/audit.ts')).auditCommand(),
    backup: async () => (await import('./commands/backup.ts')).backupCommand(),
    check: async () => (await import('./commands/check.ts')).checkCommand(),
  },
} satisfies Record<string, Record<string, () => Promise<Command>>>;

/** Runs one command line, and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  ignoreEmptyVariables();
  if (!thisPlace()) await warnOfMisspeltVariables(); // a worker's supervisor has
  const program = await buildProgram(argv[2]);
  ignoreFlagsSetToNo(program);
  endWhenOutputFails();
  try {
    await program.parseAsync(argv);
    endOutput();
  } catch (error) {
    endOutput();
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
export async function buildProgram(called = ''): Promise<Command> {
  const program = new Command('keyroster')
    .description("Lists an organization's API keys: exact pages, constant cost, no key material.")
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print how to use it');
  const all = Object.entries(commandGroups).flatMap(([group, commands]) =>
    Object.entries(commands).map(([name, load]) => ({ group, name, load })),
  );
  const found = all.filter(({ name }) => name === called);
  for (const { group, load } of found.length > 0 ? found : all)
    program.addCommand((await load()).helpGroup(group));
  for (const command of withSubcommands(program)) {
    takeSettingsFile(command);
    refuseFlagsGivenTwice(command);
    const order = command === program ? '; options follow the command' : '';
    command.exitOverride().showHelpAfterError(`(--help shows how${order})`);
    command.configureOutput({
      writeOut: printText,
      writeErr: printErrorText,
      outputError: (text, write) => write(usageMessage(text)),
    });
  }
  return program;
}

/** Otherwise the last one would win: a gate with two bounds would silently have the wider one. */
function refuseFlagsGivenTwice(command: Command): void {
  for (const option of command.options) {
    if (option.variadic) continue; // each of its values counts
    let given = false;
    command.on(`option:${option.name()}`, () => {
      if (given) throw new UsageError(`${option.long}: must be given once`);
      given = true;
    });
  }
}

/** Commander repeats an unknown word as it came, `--option=VALUE` and all; a secret must not be repeated. */
function usageMessage(text: string): string {
  const wrongVariable = /(' value )'([\s\S]*)'( from env '\w+' is invalid)/;
  const wrongArgument = /((?:' argument|command-argument value) )'([\s\S]*)'( is invalid)/;
  const unknownWord = /(unknown (?:option|command) )'(-*)([^'=]*)[^']*'/;
  return text
    .replace(/^error: /, 'keyroster: ')
    .replace(unknownWord, (_, what, dashes, name) => `${what}'${dashes}${printableName(name)}'`)
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
function endWhenOutputFails(): void {
  process.stdout.once('error', error => {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit();
    endUnfinished();
    printError(`keyroster: can't write to standard output: ${error.message}`);
    process.exit(EXIT_CODES.failed);
  });
  process.stderr.on('error', () => {}); // there is nowhere left to say it
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.wrongUsage; // it has printed its message
  const message = messageOf(error);
  printError(`keyroster: ${message}`);
  if (error instanceof UsageError) return EXIT_CODES.wrongUsage;
  if (error instanceof StoreLocked) return EXIT_CODES.locked;
  const expected = [Refused, StoreUnavailable, KeyrosterError].some(known => error instanceof known);
  if (!expected && process.env.KEYROSTER_DEBUG) printErrorText(`${(error as Error).stack}\n`);
  return EXIT_CODES.failed;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof KeyrosterError)) return error.message;
  const { message, type, requestId, retryAfterSeconds } = error;
  const answered = requestId === null ? '' : ` (${type}, ${requestId})`;
  const later = retryAfterSeconds ? `; try again in ${retryAfterSeconds.toLocaleString('en')} s` : '';
  return `${message}${answered}${later}`;
}
