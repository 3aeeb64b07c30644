import { duplicateMembers } from '../../formats/duplicate-members.ts';
import { didYouMean, nameMeant } from '../../nearest-name.ts';
import { isObject, printableName } from '../../roster/fields.ts';
import { cannotRead } from '../input/cannot-read.ts';
import { readableByAnyone } from '../input/readable-by-anyone.ts';
import { textOfFile } from '../input/text-of-file.ts';
import { printError } from '../terminal/print.ts';
import { nameOf, type Setting, yesOrNo } from './setting.ts';
import { SETTINGS } from './settings.ts';
import { UsageError } from './usage-error.ts';

const settings = new Map<string, Setting<unknown>>(
  Object.values(SETTINGS).map(setting => [nameOf(setting), setting]),
);

/** One with all settings has some KB. */
const MAX_MIB = 1;

/** As commander has the value of a flag. */
type FlagValue = string | boolean;

/** That are told. Thousands would hide the first. */
const MAX_FAULTS = 10;

/**
 * The settings of a file by the name of their variable. Throws a `UsageError` that names the file and its first faults, and none of its
 * values.
 */
export async function readSettingsFile(file: string): Promise<ReadonlyMap<string, FlagValue>> {
  const text = textIn(file);
  const json = jsonOf(text, file);
  refuseFaults(file, faultsOf(text, json));
  const values = new Map<string, FlagValue>();
  for (const [name, setting] of settings) {
    const value: unknown = json[name];
    if (value === undefined) continue;
    values.set(setting.variable, typeof value === 'boolean' ? value : textOf(setting, value));
  }
  if (await hasPassword(file, values)) warnOfPassword(file);
  return values;
}

interface SettingFault {
  readonly text: string;
  /** Whether it may help to see which settings there are. */
  readonly isFarOff: boolean;
}

function refuseFaults(file: string, faults: Iterable<SettingFault>): void {
  const found: SettingFault[] = [];
  for (const fault of faults) {
    found.push(fault);
    if (found.length > MAX_FAULTS) break;
  }
  if (found.length === 0) return;
  const told = found.slice(0, MAX_FAULTS).map(({ text }) => text);
  if (found.length > MAX_FAULTS) told.push('and more');
  if (found.some(({ isFarOff }) => isFarOff))
    told.push(`the settings are those of serve: ${[...settings.keys()].join(', ')}`);
  throw new UsageError(`${file}: ${told.join('; ')}`);
}

function* faultsOf(text: string, json: Readonly<Record<string, unknown>>): Generator<SettingFault> {
  for (const name of duplicateMembers(text))
    yield { text: `${printableName(name)}: is there more than once`, isFarOff: false };
  for (const [name, value] of Object.entries(json)) {
    if (name === '$schema' && typeof value === 'string') continue;
    const setting = settings.get(name);
    const meant = setting ? undefined : nameMeant(name, [...settings.keys()]);
    const fault = setting ? faultOf(setting, value) : faultOfUnknown(name, value, meant);
    if (fault === null) continue;
    yield {
      text: `${printableName(name)}: ${fault}`,
      isFarOff: !setting && meant === undefined && name !== '$schema',
    };
  }
}

function textOf({ kind }: Setting<unknown>, value: unknown): string {
  return kind.textOf(value) ?? '';
}

function faultOf({ kind }: Setting<unknown>, value: unknown): string | null {
  const text = kind.textOf(value);
  if (text !== undefined && kind.parse(text) !== undefined) return null;
  const isQuoted = typeof value === 'string' && !kind.separator && kind.parse(value) !== undefined;
  if (text === undefined && isQuoted) return `${kind.rule}, without quotes`;
  return (kind.ruleInFile ?? kind.rule) + didYouMean(text ?? '', kind.choices);
}

function faultOfUnknown(name: string, value: unknown, meant: string | undefined): string {
  if (name === '$schema') return 'must be a text';
  if (meant === undefined) return 'unknown setting';
  // `no_console` is the opposite of `console`.
  const isOpposite = /^no/i.test(name) && settings.get(meant)?.kind === yesOrNo;
  return `unknown setting, did you mean ${isOpposite ? `"${meant}": ${value === false}` : meant}?`;
}

/** Whether a part of a value isn't shown. Throws a `UsageError` for a URL that is malformed. */
async function hasPassword(file: string, values: ReadonlyMap<string, FlagValue>): Promise<boolean> {
  const hidden = [...settings.values()].map(async setting => {
    const text = values.get(setting.variable);
    return typeof text === 'string' && (await shownOf(setting, text, file)) !== text;
  });
  return (await Promise.all(hidden)).includes(true);
}

async function shownOf(setting: Setting<unknown>, text: string, file: string): Promise<string> {
  try {
    return setting.shown ? await setting.shown(text) : text;
  } catch (error) {
    // An error of the store names the setting too: `database: `.
    const why = (error as Error).message.replace(/^[a-z]+: /, '');
    throw new UsageError(`${file}: ${nameOf(setting)}: ${why}`, { cause: error });
  }
}

function warnOfPassword(file: string): void {
  if (readableByAnyone(file))
    printError(
      `keyroster: warning: every user of this machine may read ${file}, which has a password: chmod o= ${file}`,
    );
}

function textIn(file: string): string {
  try {
    return textOfFile(file, MAX_MIB);
  } catch (error) {
    throw new UsageError(`--config: ${cannotRead(file, error)}`);
  }
}

/** The message of `JSON.parse` repeats a part of the file, which may be a password. */
function jsonOf(text: string, file: string): Record<string, unknown> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const where = /line \d+ column \d+/.exec((error as Error).message);
    throw new UsageError(`${file}: is not JSON${where ? `: ${where[0]}` : ''}`);
  }
  if (!isObject(json)) throw new UsageError(`${file}: must be a JSON object`);
  return json;
}
