import type { Command } from 'commander';
import { didYouMean } from '../../nearest-name.ts';
import { flagOf, nameOf, optionOf, type Setting } from './setting.ts';
import { SETTINGS, type Settings } from './settings.ts';
import { required } from './shared-options.ts';

/** A setting as it was given, and by what. */
export interface GivenSetting {
  readonly setting: Setting<unknown>;
  /** As the flag gives it; `undefined`: nobody sets it, and it has no default. */
  readonly text: string | undefined;
  readonly from: Origin;
  /** The flag, the variable or the file; `null`: the default. */
  readonly by: string | null;
}

export type Origin = 'flag' | 'variable' | 'file' | 'default';

/** What commander calls them. */
const ORIGINS: Readonly<Record<string, Origin>> = { cli: 'flag', env: 'variable', config: 'file' };

export type GivenSettings = Readonly<Record<keyof Settings, GivenSetting>>;

export function givenSettings(command: Command): GivenSettings {
  const given = Object.entries(SETTINGS).map(([name, setting]) => [name, givenTo(command, setting)]);
  return Object.fromEntries(given) as GivenSettings;
}

function givenTo(command: Command, setting: Setting<unknown>): GivenSetting {
  const key = optionOf(setting).attributeName();
  const value = command.getOptionValue(key);
  const from = ORIGINS[command.getOptionValueSource(key) ?? ''] ?? 'default';
  const file: string = command.getOptionValue('config');
  const by = { flag: flagOf(setting), variable: setting.variable, file, default: null }[from];
  return { setting, text: textOf(value, setting), from, by };
}

/**
 * Puts what is from the settings file into the variables, which workers inherit: one that starts later has the settings of the others,
 * whatever is in the file then.
 */
export function giveWorkersSettings(command: Command): void {
  for (const { setting, text, from } of Object.values(givenSettings(command)))
    if (from === 'file' && text !== undefined) process.env[setting.variable] = variableOf(setting, text);
}

/** That of a flag `--no-x` turns x off. */
function variableOf({ flags }: Setting<unknown>, text: string): string {
  return flags.startsWith('--no-') ? String(text === 'false') : text;
}

function textOf(value: unknown, { byDefault }: Setting<unknown>): string | undefined {
  return value === undefined ? byDefault : String(value);
}

/** Throws a `UsageError` that names what gave a wrong value. */
export function settingsOf(command: Command): Settings {
  const given = Object.entries(givenSettings(command));
  return Object.fromEntries(given.map(([name, each]) => [name, parsed(each)])) as Settings;
}

function parsed(given: GivenSetting): unknown {
  const { setting, text } = given;
  if (text === undefined) return undefined;
  const { parse, rule, choices } = setting.kind;
  return required(whatGave(given), parse(text), rule + didYouMean(text, choices));
}

/** For a message. */
export function whatGave({ setting, from, by }: GivenSetting): string {
  return from === 'file' ? `${by}: ${nameOf(setting)}` : (by ?? nameOf(setting));
}

/** What the same flags, variables or file call another setting. */
export function nameBeside({ from }: GivenSetting, { setting }: GivenSetting): string {
  if (from === 'variable') return setting.variable;
  return from === 'flag' ? flagOf(setting) : nameOf(setting);
}
