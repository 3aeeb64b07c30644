/** The settings that `serve` has here, and what gave each. */
import type { Command } from 'commander';
import { UsageError } from '../../../shared/command/command.ts';
import { required } from '../../../shared/command/options.ts';
import { didYouMean } from '../../../shared/nearest-name.ts';
import { type Senseless, senselessOf } from '../../options.ts';
import { NEEDS_DEFAULT_WORKSPACE, SCOPED_VERSION } from '../../roster/api-version.ts';
import {
  flagOf,
  nameOf,
  SETTINGS,
  type Setting,
  type SettingName,
  type Settings,
  variableOf,
} from '../../settings.ts';
import { givenValue, optionOf } from './setting-option.ts';

/** A setting as it was given, and by what. */
export interface GivenSetting {
  readonly setting: Setting<unknown>;
  /** `undefined`: nobody sets it, and it has no default. */
  readonly value: unknown;
  readonly from: 'flag' | 'variable' | 'file' | 'default';
  /** The flag, the variable or the file; `null`: the default. */
  readonly by: string | null;
}

/** What commander calls them. */
const ORIGINS: Readonly<Record<string, GivenSetting['from']>> = {
  cli: 'flag',
  env: 'variable',
  config: 'file',
};

export type GivenSettings = Readonly<Record<SettingName, GivenSetting>>;

export function givenSettings(command: Command): GivenSettings {
  const given = Object.entries(SETTINGS).map(([name, setting]) => [name, givenTo(command, setting)]);
  return Object.fromEntries(given) as GivenSettings;
}

function givenTo(command: Command, setting: Setting<unknown>): GivenSetting {
  const key = optionOf(setting).attributeName();
  const from = ORIGINS[command.getOptionValueSource(key) ?? ''] ?? 'default';
  const file: string = command.getOptionValue('config');
  const by = { flag: flagOf(setting), variable: variableOf(setting), file, default: null }[from];
  const value = from === 'default' ? setting.byDefault : givenValue(setting, command.getOptionValue(key));
  return { setting, value, from, by };
}

/**
 * Puts what is from the settings file into the variables, which workers inherit: one that starts later has the settings of the others,
 * whatever is in the file then.
 */
export function giveWorkersSettings(command: Command): void {
  for (const { setting, value, from } of Object.values(givenSettings(command))) {
    if (from !== 'file') continue;
    // The variable of a flag `--no-x` turns x off.
    const inVariable = setting.flags.startsWith('--no-') ? !value : value;
    process.env[variableOf(setting)] = String(inVariable);
  }
}

const SENSELESS: readonly Senseless<SettingName>[] = [
  ['tlsCert', 'without', 'tlsKey'],
  ['tlsKey', 'without', 'tlsCert'],
  ['metricsHost', 'without', 'metricsPort'],
  ['defaultWorkspace', 'without', 'alsoVersion'],
];

const EVERY_ADDRESS: ReadonlySet<unknown> = new Set(['0.0.0.0', '::']);

export type ServeSettings = ReturnType<typeof serveSettings>;

/** Throws a `UsageError` that names what gave a wrong value. */
export function serveSettings(command: Command) {
  const given = givenSettings(command);
  const set = Object.entries(given).filter(([, { value }]) => value !== undefined);
  const settings = Object.fromEntries(set.map(([name, each]) => [name, parse(each)])) as Settings;
  const [name, relation, other] = senselessOf(SENSELESS, each => given[each].from !== 'default') ?? [];
  if (name && other)
    throw new UsageError(`${whatGave(given[name])}: has no meaning ${relation} ${nameOf(SETTINGS[other])}`);
  if (settings.alsoVersion?.includes(SCOPED_VERSION) && settings.defaultWorkspace === undefined)
    throw new UsageError(
      `${whatGave(given.alsoVersion)}: ${NEEDS_DEFAULT_WORKSPACE} ${flagOf(SETTINGS.defaultWorkspace)}`,
    );
  const { database, host, port, tlsCert, tlsKey, metricsHost, metricsPort, ...others } = settings;
  const overlap = host === metricsHost || [host, metricsHost].some(each => EVERY_ADDRESS.has(each));
  if (typeof host === 'string' && port !== 0 && port === metricsPort && overlap)
    throw new UsageError(`${whatGave(given.metricsPort)}: must be another port than that of the service`);
  return {
    ...others,
    store: database,
    address: typeof host === 'string' ? { host, port } : host,
    tlsFiles: tlsCert !== undefined && tlsKey !== undefined ? { cert: tlsCert, key: tlsKey } : null,
    metricsAddress: metricsPort === undefined ? null : { host: metricsHost, port: metricsPort },
  };
}

function parse(given: GivenSetting): unknown {
  const { setting, value } = given;
  const { rule, ruleOfText = rule, choices } = setting;
  return required(whatGave(given), setting.parse(value), ruleOfText + didYouMean(String(value), choices));
}

/** For a message. */
function whatGave({ setting, from, by }: GivenSetting): string {
  return from === 'file' ? `${by}: ${nameOf(setting)}` : (by ?? nameOf(setting));
}
