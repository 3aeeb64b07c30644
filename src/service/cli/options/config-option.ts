import { type Command, Option } from 'commander';

/** Gives each command that opens a store the option `--config`. A setting in the file holds where no flag and no variable sets it. */
export function takeSettingsFile(command: Command): void {
  const opensStore = command.options.some(({ long }) => long === '--database');
  if (!opensStore) return;
  const description = 'a file of settings, JSON; flags and variables win over it (default: none)';
  command.addOption(new Option('--config <file>', description).env('KEYROSTER_CONFIG'));
  command.hook('preAction', async () => {
    const file: string | undefined = command.getOptionValue('config');
    if (file === undefined) return;
    const { readSettingsFile } = await import('./settings-file.ts');
    const values = await readSettingsFile(file);
    for (const option of command.options) {
      const name = option.attributeName();
      const value = values.get(option.envVar ?? '');
      const isSet = (command.getOptionValueSource(name) ?? 'default') !== 'default';
      if (value !== undefined && !isSet) command.setOptionValueWithSource(name, value, 'config');
    }
  });
}
