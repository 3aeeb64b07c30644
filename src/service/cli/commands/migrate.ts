import { Option } from 'commander';
import { Command, UsageError } from '../../../shared/command/command.ts';
import { jsonOption } from '../../../shared/command/options.ts';
import { printError, printLine } from '../../../shared/command/terminal/print.ts';
import { actorOf, type WriteFlags, waitOf, warnedStoreAt, writeOptions } from '../options/database.ts';
import { printStatus } from './migrate-status.ts';

interface MigrateFlags extends WriteFlags {
  readonly wait: string;
  readonly plan?: true;
  readonly status?: true;
  readonly json?: true;
}

const UP_TO_DATE = 'the schema is up to date';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description("brings the store's schema up to date, creating the store if there is none")
    .addOptions(...writeOptions())
    .example('keyroster migrate --database sqlite:data/keyroster.db')
    .option('--plan', 'print what it would do; change nothing')
    .addOption(
      new Option('--status', 'print whether this release can use the store; change nothing').conflicts(
        'plan',
      ),
    )
    .addOption(jsonOption())
    .action(async ({ database, actor, wait, plan, status, json }: MigrateFlags) => {
      if (json && !status) throw new UsageError('--json: is for --status');
      const by = actorOf(actor);
      const waitMs = waitOf(wait);
      const store = await warnedStoreAt(database);
      if (status) return printStatus(await store.schemas(), json ?? false, await store.shownUrl());
      if (plan) return printPlan(await store.planMigration());
      let steps = 0;
      const listener = {
        onWaiting: (message: string) => printError(`keyroster: ${message}`),
        onStep: (what: string) => {
          steps += 1;
          printLine(what);
        },
      };
      const applied = await store.migrate(by, listener, waitMs);
      if (applied > 0) printLine(`applied ${applied} migration(s)`);
      else if (steps === 0) printLine(UP_TO_DATE);
    });
}

function printPlan(lines: readonly string[]): void {
  for (const line of lines.length > 0 ? lines : [UP_TO_DATE]) printLine(line);
}
