import { Command } from 'commander';
import { type GivenSetting, givenSettings } from '../options/given-settings.ts';
import { serveSettings } from '../options/serve-options.ts';
import { nameOf, optionOf } from '../options/setting.ts';
import { SETTINGS } from '../options/settings.ts';
import { jsonOption } from '../options/shared-options.ts';
import { printJson, printTable } from '../terminal/print.ts';

export function configCommand(): Command {
  const command = new Command('config').description(
    'shows the settings that serve would have here, and where each is from; a wrong one is refused as serve does',
  );
  for (const setting of Object.values(SETTINGS)) command.addOption(optionOf(setting));
  return command
    .addOption(jsonOption())
    .addHelpText('after', '\nExample: keyroster config --config keyroster.json')
    .action((options: { readonly json?: boolean }) => config(command, options));
}

interface ShownSetting extends GivenSetting {
  readonly name: string;
  /** As it may be shown. */
  readonly text: string | undefined;
}

async function config(command: Command, { json }: { readonly json?: boolean }): Promise<void> {
  serveSettings(command); // refuses what is wrong
  const shown = await Promise.all(Object.values(givenSettings(command)).map(shownSetting));
  if (json) await printJson(Object.fromEntries(shown.map(each => [each.name, jsonOf(each)])));
  else await printTable(['SETTING', 'VALUE', 'FROM'], [shown], rowOf);
}

async function shownSetting(given: GivenSetting): Promise<ShownSetting> {
  const { setting, text } = given;
  const shown = text !== undefined && setting.shown ? await setting.shown(text) : text;
  return { ...given, name: nameOf(setting), text: shown };
}

function rowOf({ name, setting, text, from, by }: ShownSetting): string[] {
  return [name, text || setting.without || '-', by === null ? from : `${from} ${by}`];
}

function jsonOf({ setting, text, from, by }: ShownSetting) {
  return { value: text === undefined ? null : setting.kind.valueOf(text), from, by };
}
