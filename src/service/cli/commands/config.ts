import { Command } from '../../../shared/command/command.ts';
import { jsonOption } from '../../../shared/command/options.ts';
import { printJson, printTable } from '../../../shared/command/terminal/print.ts';
import { withMetrics } from '../../optional-packages.ts';
import { nameOf, SETTINGS } from '../../settings.ts';
import { type GivenSetting, givenSettings, serveSettings } from '../options/serve-settings.ts';
import { optionOf } from '../options/setting-option.ts';

export function configCommand(): Command {
  return new Command('config')
    .description(
      'shows the settings that serve would have here, and where each is from; a wrong one is refused as serve does',
    )
    .addOptions(...Object.values(SETTINGS).map(optionOf), jsonOption())
    .example('keyroster config --config keyroster.json')
    .action(config);
}

async function config({ json }: { readonly json?: boolean }, command: Command): Promise<void> {
  const { tlsFiles, metricsAddress, store } = serveSettings(command); // refuses what is wrong
  if (tlsFiles) (await import('../serve/tls.ts')).readKeyPair(tlsFiles);
  if (metricsAddress) await withMetrics(() => import('../../server/metrics-server.ts'));
  const shown: Shown[] = await Promise.all(Object.values(givenSettings(command)).map(withoutPassword));
  const { id, without } = await store.findIdentity().then(
    found => ({ id: found.id, without: '' }), // of a wrong URL it is another one
    ({ message }: Error) => ({ id: undefined, without: message }),
  );
  shown.push({ setting: { flags: '--store', without }, value: id, from: 'database', by: null });
  if (json)
    await printJson(
      Object.fromEntries(
        shown.map(({ setting, value = null, from, by }) => [nameOf(setting), { value, from, by }]),
      ),
    );
  else await printTable(['SETTING', 'VALUE', 'FROM'], [shown], rowOf);
}

interface Shown extends Omit<GivenSetting, 'setting' | 'from'> {
  readonly setting: Pick<GivenSetting['setting'], 'flags' | 'without'>;
  readonly from: string;
}

async function withoutPassword(given: GivenSetting): Promise<GivenSetting> {
  const { setting, value } = given;
  return setting.shown ? { ...given, value: await setting.shown(String(value)) } : given;
}

function rowOf({ setting, value = '', from, by }: Shown): string[] {
  return [nameOf(setting), String(value) || setting.without || '-', by === null ? from : `${from} ${by}`];
}
