import { Option } from 'commander';
import { endsOlderReleases, STOP_OLDER_RELEASES } from '../../service/roster/schema.ts';
import { Command, UsageError } from '../../shared/command/command.ts';
import { jsonOption } from '../../shared/command/options.ts';
import { printError, printLine } from '../../shared/command/terminal/print.ts';
import { Refused } from '../../shared/record/faults.ts';
import { actorOf, type WriteFlags, waitOf, warnedStoreAt, writeOptions } from '../options/database.ts';
import { printStatus } from './migrate-status.ts';

interface MigrateFlags extends WriteFlags {
  readonly wait: string;
  readonly plan?: true;
  readonly status?: true;
  readonly stopped?: true;
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
    .option('--stopped', 'migrate also where no process of an older release can use the store after it')
    .addOption(jsonOption())
    .action(async ({ database, actor, wait, plan, status, stopped, json }: MigrateFlags) => {
      if (json && !status) throw new UsageError('--json: is for --status');
      const by = actorOf(actor);
      const waitMs = waitOf(wait);
      const store = await warnedStoreAt(database);
      const schemas = await store.schemas();
      if (status) return printStatus(schemas, json ?? false, await store.shownUrl());
      const first = endsOlderReleases(schemas) ? [STOP_OLDER_RELEASES] : [];
      if (plan) return printPlan([...first, ...(await store.planMigration())]);
      if (first.length > 0 && !stopped) throw new Refused(`database: ${STOP_OLDER_RELEASES}`);
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
