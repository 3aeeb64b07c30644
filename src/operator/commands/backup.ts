import { Command } from '../../shared/command/command.ts';
import { printLine } from '../../shared/command/terminal/print.ts';
import { databaseOption, storeAt } from '../options/database.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description('writes a consistent copy of the embedded store to a new file, while it is in use')
    .argument('<file>', 'the copy; must not exist yet')
    .addOption(databaseOption())
    .example('keyroster backup keyroster-2024-10-30.db')
    .action(async (file: string, { database }: { database: string }) => {
      const store = storeAt(database);
      await store.backup(file);
      const of = await store.findIdentity().then(
        ({ id }) => `${id} `,
        () => '',
      ); // its schema may be of any release
      printLine(`backed up ${of}to ${file}`);
    });
}
