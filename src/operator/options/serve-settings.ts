/** The settings that `serve` has here. */
import type { Command } from 'commander';
import { missingSetting } from '../../service/api/versions.ts';
import { type Senseless, senselessOf } from '../../service/options.ts';
import { flagOf, type Setting, variableOf } from '../../service/serving-settings.ts';
import { SETTINGS, type SettingName, type Settings } from '../../service/settings.ts';
import { UsageError } from '../../shared/command/command.ts';
import { required } from '../../shared/command/options.ts';
import { didYouMean } from '../../shared/nearest-name.ts';
import { givenValue, optionOf } from './setting-option.ts';

/** A setting as it was given. */
interface GivenSetting {
  readonly setting: Setting<unknown>;
  /** `undefined`: nobody sets it, and it has no default. */
  readonly value: unknown;
  /** The flag or the variable, for a message; `null`: the default. */
  readonly by: string | null;
}

const SENSELESS: readonly Senseless<SettingName>[] = [
  ['tlsCert', 'without', 'tlsKey'],
  ['tlsKey', 'without', 'tlsCert'],
  ['metricsHost', 'without', 'metricsPort'],
  ['defaultWorkspace', 'without', 'versions'],
];

const EVERY_ADDRESS: ReadonlySet<unknown> = new Set(['0.0.0.0', '::']);

export type ServeSettings = ReturnType<typeof serveSettings>;

/** Throws a `UsageError` that names what gave a wrong value. */
export function serveSettings(command: Command) {
  const given = givenSettings(command);
  const set = Object.entries(given).filter(([, { value }]) => value !== undefined);
  const settings = Object.fromEntries(set.map(([name, each]) => [name, parse(each)])) as Settings;
  const [name, relation, other] = senselessOf(SENSELESS, each => given[each].by !== null) ?? [];
  if (name && other)
    throw new UsageError(`${given[name].by}: has no meaning ${relation} ${flagOf(SETTINGS[other])}`);
  const missing = missingSetting(settings.versions ?? [], settings);
  if (missing)
    throw new UsageError(`${given.versions.by}: ${missing.problem} ${flagOf(SETTINGS[missing.setting])}`);
  const { database, host, port, tlsCert, tlsKey, metricsHost, metricsPort, ...others } = settings;
  const overlap = host === metricsHost || [host, metricsHost].some(each => EVERY_ADDRESS.has(each));
  if (typeof host === 'string' && port !== 0 && port === metricsPort && overlap)
    throw new UsageError(`${given.metricsPort.by}: must be another port than that of the service`);
  return {
    ...others,
    store: database,
    address: typeof host === 'string' ? { host, port } : host,
    tlsFiles: tlsCert !== undefined && tlsKey !== undefined ? { cert: tlsCert, key: tlsKey } : null,
    metricsAddress: metricsPort === undefined ? null : { host: metricsHost, port: metricsPort },
  };
}

function givenSettings(command: Command): Readonly<Record<SettingName, GivenSetting>> {
  const given = Object.entries(SETTINGS).map(([name, setting]) => [name, givenTo(command, setting)]);
  return Object.fromEntries(given);
}

function givenTo(command: Command, setting: Setting<unknown>): GivenSetting {
  const key = optionOf(setting).attributeName();
  const source = command.getOptionValueSource(key);
  if (source !== 'cli' && source !== 'env') return { setting, value: setting.byDefault, by: null };
  const by = source === 'cli' ? flagOf(setting) : variableOf(setting);
  return { setting, value: givenValue(setting, command.getOptionValue(key)), by };
}

function parse({ setting, value, by }: GivenSetting): unknown {
  const { rule, ruleOfText = rule, choices } = setting;
  return required(
    by ?? flagOf(setting),
    setting.parse(value),
    ruleOfText + didYouMean(String(value), choices),
  );
}
