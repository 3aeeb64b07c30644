import { UsageError } from '../../../shared/command/command.ts';
import { readableByAnyone, textOfOption } from '../../../shared/command/input/text-of-file.ts';
import { printError } from '../../../shared/command/terminal/print.ts';
import { duplicateMembers } from '../../../shared/formats/duplicate-members.ts';
import { didYouMean } from '../../../shared/nearest-name.ts';
import { isObject, printableName } from '../../../shared/record/fields.ts';
import { nameOf, SETTINGS, type Setting, variableOf } from '../../settings.ts';

const settings = new Map<string, Setting<unknown>>(
  Object.values(SETTINGS).map(setting => [nameOf(setting), setting]),
);
const NAMES = [...settings.keys()];

/** One with all settings has some KB. */
const MAX_MIB = 1;
/** That are told. Thousands would hide the first. */
const MAX_FAULTS = 10;
const UNKNOWN = 'unknown setting';

/**
 * The settings of a file by the name of their variable. Throws a `UsageError` that names the file and its first faults, and none of its
 * values.
 */
export async function readSettingsFile(file: string): Promise<ReadonlyMap<string, unknown>> {
  const text = textOfOption('--config', file, MAX_MIB);
  const json = jsonOf(text, file);
  const repeated = duplicateMembers(text).map(name => `${printableName(name)}: is there more than once`);
  const wrong: string[] = [];
  for (const [name, value] of Object.entries(json)) {
    const fault = faultOf(name, value);
    if (fault !== null) wrong.push(`${printableName(name)}: ${fault}`);
    if (wrong.length > MAX_FAULTS) break; // to find what thousands of names may mean takes seconds
  }
  const faults = [...repeated, ...wrong];
  if (faults.length > 0) {
    const told = [...faults.slice(0, MAX_FAULTS), ...(faults.length > MAX_FAULTS ? ['and more'] : [])];
    if (told.some(fault => fault.endsWith(UNKNOWN)))
      told.push(`the settings are those of serve: ${NAMES.join(', ')}`);
    throw new UsageError(`${file}: ${told.join('; ')}`);
  }
  if (readableByAnyone(file) && (await hasPassword(json)))
    printError(
      `keyroster: warning: every user of this machine may read ${file}, which has a password: chmod o= ${file}`,
    );
  const given = [...settings].filter(([name]) => json[name] !== undefined);
  return new Map(given.map(([name, setting]) => [variableOf(setting), json[name]]));
}

function faultOf(name: string, value: unknown): string | null {
  if (name === '$schema') return typeof value === 'string' ? null : 'must be a text';
  const setting = settings.get(name);
  if (!setting) return UNKNOWN + didYouMean(name, NAMES);
  const { parse, read, rule, ruleOfText, choices } = setting;
  if (parse(value) !== undefined) return null;
  const isQuoted = typeof value === 'string' && ruleOfText === undefined && parse(read(value)) !== undefined;
  return isQuoted ? `${rule}, without quotes` : rule + didYouMean(String(value), choices);
}

/** Whether a part of a value isn't shown. What is malformed is refused where it is used. */
async function hasPassword(json: Readonly<Record<string, unknown>>): Promise<boolean> {
  for (const [name, { shown }] of settings) {
    const value = json[name];
    if (shown && typeof value === 'string' && (await shown(value).catch(() => null)) !== value) return true;
  }
  return false;
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

/** The JSON schema of a settings file, which is `docs/config.schema.json`. */
export function settingsSchema() {
  const properties = [...settings].map(([name, setting]) => [name, schemaOf(setting)]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A settings file of keyroster, for --config',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
  };
}

function schemaOf({ flags, description, without, byDefault, schema }: Setting<unknown>) {
  // What such a flag does is the opposite of its setting.
  const words = flags.startsWith('--no-') ? `false: ${description}` : description;
  const none = without === undefined ? '' : ` (default: ${without})`;
  return { description: words + none, ...schema, ...(byDefault !== undefined && { default: byDefault }) };
}
