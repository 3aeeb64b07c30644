import { StoreLocked, StoreUnavailable } from '../service/roster/errors.ts';
import { EXIT_CODES } from '../shared/command/exit-codes.ts';
import { type Failure, type Program, runProgram } from '../shared/command/program.ts';
import { thisPlace } from './serve/workers/messages.ts';

export const program: Program = {
  name: 'keyroster',
  description: "Lists an organization's API keys: exact pages, constant cost, no key material.",
  commands: {
    demo: async () => (await import('./commands/demo.ts')).demoCommand(),
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
    restore: async () => (await import('./commands/restore.ts')).restoreCommand(),
    check: async () => (await import('./commands/check.ts')).checkCommand(),
  },
  other: {
    name: 'keyroster-admin',
    package: '@keyroster/admin',
    commands: ['login', 'logout', 'profiles', 'list', 'get', 'find', 'report', 'diff', 'watch'],
  },
  variables: async () => {
    const { SETTINGS } = await import('../service/settings.ts');
    const { variableOf } = await import('../service/serving-settings.ts');
    return Object.values(SETTINGS).map(variableOf);
  },
  failureOf,
};

/** Runs one command line, and sets the exit code. */
export function main(argv: readonly string[]): Promise<void> {
  return runProgram(program, argv, { warns: !thisPlace() }); // a worker's supervisor has warned
}

function failureOf(error: Error): Failure | undefined {
  const { message } = error;
  if (error instanceof StoreLocked) return { message, exitCode: EXIT_CODES.locked };
  return error instanceof StoreUnavailable ? { message, exitCode: EXIT_CODES.failed } : undefined;
}
