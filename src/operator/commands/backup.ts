import { Command } from '../../shared/command/command.ts';
import { printLine } from '../../shared/command/terminal/print.ts';
import { ProgressBar } from '../../shared/command/terminal/progress-bar.ts';
import { databaseOption, storeAt } from '../options/database.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description('writes a consistent copy of the embedded store to a new file, while it is in use')
    .argument('<file>', 'the copy; must not exist yet')
    .addOption(databaseOption())
    .example('keyroster backup keyroster-2024-10-30.db')
    .action(async (file: string, { database }: { database: string }) => {
      const store = storeAt(database);
      const bar = new ProgressBar();
      const tell = (share: number, megabytes: number) => bar.draw(share, 'copying', megabytes, 'MB');
      await store.backup(file, tell).finally(() => bar.clear());
      const of = await store.findIdentity().then(
        ({ id }) => `${id} `,
        () => '',
      ); // its schema may be of any release
      printLine(`backed up ${of}to ${file}`);
    });
}
