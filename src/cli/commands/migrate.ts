import { Command } from 'commander';
import { actorOf, actorOption } from '../options/actor.ts';
import { databaseOption, type WriteFlags, warnedStoreAt } from '../options/database.ts';
import { printError, printLine } from '../terminal/print.ts';

const UP_TO_DATE = 'the schema is up to date';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description("brings the store's schema up to date, creating the store if there is none")
    .addOption(databaseOption())
    .addOption(actorOption())
    .addHelpText('after', '\nExample: keyroster migrate --database sqlite:data/keyroster.db')
    .option('--plan', 'print what it would do and change nothing')
    .action(async ({ database, actor, plan }: WriteFlags & { plan?: true }) => {
      const by = actorOf(actor);
      const store = await warnedStoreAt(database);
      if (plan) return printPlan(await store.planMigration());
      let steps = 0;
      const applied = await store.migrate(by, {
        onWaiting: message => printError(`keyroster: ${message}`),
        onStep: what => {
          steps += 1;
          printLine(what);
        },
      });
      if (applied > 0) printLine(`applied ${applied} migration(s)`);
      else if (steps === 0) printLine(UP_TO_DATE);
    });
}

function printPlan(lines: readonly string[]): void {
  for (const line of lines.length > 0 ? lines : [UP_TO_DATE]) printLine(line);
}
