import { Command } from 'commander';
import { actorOf, actorOption } from '../options/actor.ts';
import { databaseOption, type WriteFlags, warnedStoreAt } from '../options/database.ts';
import { printError, printLine } from '../terminal/print.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description("brings the store's schema up to date, creating the store if there is none")
    .addOption(databaseOption())
    .addOption(actorOption())
    .addHelpText('after', '\nExample: keyroster migrate --database sqlite:data/keyroster.db')
    .action(async ({ database, actor }: WriteFlags) => {
      const by = actorOf(actor);
      const store = await warnedStoreAt(database);
      const applied = await store.migrate(by, message => printError(`keyroster: ${message}`));
      printLine(applied === 0 ? 'the schema is up to date' : `applied ${applied} migration(s)`);
    });
}
