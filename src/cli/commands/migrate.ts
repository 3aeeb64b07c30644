import { Command } from 'commander';
import { actorOf, actorOption } from '../options/actor.ts';
import { databaseOption, type WriteFlags, warnedStoreAt } from '../options/database.ts';
import { numberOf } from '../options/shared-options.ts';
import { printError, printLine } from '../terminal/print.ts';

interface MigrateFlags extends WriteFlags {
  readonly plan?: true;
  readonly partitions?: string;
}

/** With 128, PostgreSQL takes longer to plan a page than one may wait (docs/decisions.md). */
const PARTITIONS = { min: 2, max: 64 } as const;

const UP_TO_DATE = 'the schema is up to date';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description("brings the store's schema up to date, creating the store if there is none")
    .addOption(databaseOption())
    .addOption(actorOption())
    .addHelpText('after', '\nExample: keyroster migrate --database sqlite:data/keyroster.db')
    .option('--plan', 'print what it would do and change nothing')
    .option('--partitions <number>', 'PostgreSQL: keep API keys in this many tables; before there are any')
    .action(async ({ database, actor, plan, partitions }: MigrateFlags) => {
      const by = actorOf(actor);
      const parts =
        partitions === undefined
          ? undefined
          : numberOf('--partitions', partitions, PARTITIONS.min, PARTITIONS.max);
      const store = await warnedStoreAt(database);
      if (plan) return printPlan(await store.planMigration(parts));
      let steps = 0;
      const listener = {
        onWaiting: (message: string) => printError(`keyroster: ${message}`),
        onStep: (what: string) => {
          steps += 1;
          printLine(what);
        },
      };
      const applied = await store.migrate(by, listener, parts);
      if (applied > 0) printLine(`applied ${applied} migration(s)`);
      else if (steps === 0) printLine(UP_TO_DATE);
    });
}

function printPlan(lines: readonly string[]): void {
  for (const line of lines.length > 0 ? lines : [UP_TO_DATE]) printLine(line);
}
