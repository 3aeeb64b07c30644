import { Command } from 'commander';
import { databaseOption, warnedStoreAt } from '../options/database.ts';
import { printError, printLine } from '../terminal/print.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description("brings the store's schema up to date, creating the store if there is none")
    .addOption(databaseOption())
    .addHelpText('after', '\nExample: keyroster migrate --database sqlite:data/keyroster.db')
    .action(async ({ database }: { database: string }) => {
      const store = await warnedStoreAt(database);
      const applied = await store.migrate(message => printError(`keyroster: ${message}`));
      printLine(applied === 0 ? 'the schema is up to date' : `applied ${applied} migration(s)`);
    });
}
