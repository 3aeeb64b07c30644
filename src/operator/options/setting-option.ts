/** The settings of the service as options of a command. */
import { Option } from 'commander';
import { flagOf, type Setting, variableOf } from '../../service/serving-settings.ts';
import { SETTINGS } from '../../service/settings.ts';
import { required } from '../../shared/command/options.ts';

export function optionOf(setting: Setting<unknown>): Option {
  const { flags, description, ruleOfText, without, choices, byDefault } = setting;
  const listed = ruleOfText === undefined ? '' : ', separated by commas';
  const none = without === undefined ? '' : ` (default: ${without})`;
  const option = new Option(flags, `${description}${listed}${none}`).env(variableOf(setting));
  // Not commander's own check, whose message repeats the value.
  if (choices) option.argChoices = [...choices];
  return typeof byDefault === 'boolean' ? option : option.default(byDefault);
}

/** What commander has of a setting, as its kind has it: that is a text from a flag or a variable. */
export function givenValue({ read }: Setting<unknown>, given: unknown): unknown {
  return typeof given === 'string' ? read(given) : given;
}

/** The value of a setting that a flag or its variable gives. */
export function settingOf<T>(setting: Setting<T>, given: unknown): T {
  return required(flagOf(setting), setting.parse(givenValue(setting, given)), setting.rule);
}

export const vendorOption = () => optionOf(SETTINGS.vendor);
