import { type Program, runProgram } from '../../shared/command/program.ts';
import { failureOf } from './connection/failure.ts';

export const program: Program = {
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
    watch: async () => (await import('./commands/watch.ts')).watchCommand(),
  },
  other: {
    name: 'keyroster',
    package: 'keyroster',
    commands: (
      'demo serve migrate organizations admin-keys fields import imports feed export move adopt set-status audit ' +
      'backup restore check'
    ).split(' '),
  },
  failureOf,
};

/** Runs one command line, and sets the exit code. */
export const main = (argv: readonly string[]): Promise<void> => runProgram(program, argv);
