/** A setting of the service: one declaration of its flag, its variable, its default, and its value in a settings file. */
import { Option } from 'commander';

export interface Setting<T> {
  /** As commander has them: `--port <number>`. */
  readonly flags: string;
  readonly variable: string;
  readonly description: string;
  readonly kind: Kind<T>;
  /** As its flag would give it. */
  readonly byDefault?: string;
  /** What holds without it where it has no default, in words. */
  readonly without?: string;
  /** What of its text may be shown; absent: all. */
  readonly shown?: (text: string) => Promise<string>;
}

/** What the values of a setting are. */
export interface Kind<T> {
  /** Returns `undefined` for a text that breaks the rule. */
  readonly parse: (text: string) => T | undefined;
  readonly rule: string;
  /** The rule in a settings file, where it isn't the same. */
  readonly ruleInFile?: string;
  /** The JSON schema of a value in a settings file. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** A value of a settings file as the text of its flag; `undefined`: it has another type. */
  readonly textOf: (value: unknown) => string | undefined;
  /** The other way. */
  readonly valueOf: (text: string) => unknown;
  readonly choices?: readonly string[];
  /** Of a list. */
  readonly separator?: typeof SEPARATOR;
}

/** In a settings file: as the flag, with `_` for `-`. What a flag `--no-x` turns off is `x` there. */
export function nameOf({ flags }: Pick<Setting<unknown>, 'flags'>): string {
  const [, name = ''] = /^--(?:no-)?([a-z-]+)/.exec(flags) ?? [];
  return name.replaceAll('-', '_');
}

export function flagOf({ flags }: Pick<Setting<unknown>, 'flags'>): string {
  return flags.replace(/ .*/, '');
}

export function optionOf({ kind, ...setting }: Setting<unknown>): Option {
  const listed = kind.separator === undefined ? '' : `, ${SEPARATED}`;
  const without = setting.without === undefined ? '' : ` (default: ${setting.without})`;
  const option = new Option(setting.flags, `${setting.description}${listed}${without}`).env(setting.variable);
  // Not commander's own check, whose message repeats the value.
  if (kind.choices) option.argChoices = [...kind.choices];
  return kind === yesOrNo ? option : option.default(setting.byDefault);
}

export function wholeNumber(min: number, max: number): Kind<number> {
  return {
    parse: text => {
      const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
    rule: `must be a whole number from ${min} to ${max}`,
    schema: { type: 'integer', minimum: min, maximum: max },
    textOf: value => (typeof value === 'number' ? String(value) : undefined),
    valueOf: Number,
  };
}

/** Control characters are in none: they end a path, and could move the cursor where the text is shown. */
export function text<T>(parse: Kind<T>['parse'], rule: string): Kind<T> {
  return {
    parse: given => (/\p{Cc}/u.test(given) ? undefined : parse(given)),
    rule,
    schema: { type: 'string' },
    textOf: stringIn,
    valueOf: given => given,
  };
}

export function choice<const Value extends string>(choices: readonly Value[]): Kind<Value> {
  return {
    ...text(given => choices.find(each => each === given), `must be one of ${choices.join(', ')}`),
    schema: { enum: choices },
    choices,
  };
}

/** In a file an array, of which no text has the separator. */
export function list<T>(parse: (text: string) => readonly T[] | undefined, rule: string): Kind<readonly T[]> {
  return {
    parse: given => (given === '' ? [] : parse(given)),
    rule: `${rule}, ${SEPARATED}`,
    ruleInFile: `${rule}, in an array`,
    schema: { type: 'array', items: { type: 'string', pattern: ELEMENT.source } },
    textOf: value =>
      Array.isArray(value) && value.every(each => typeof each === 'string' && ELEMENT.test(each))
        ? value.join(SEPARATOR)
        : undefined,
    valueOf: given => (given === '' ? [] : given.split(SEPARATOR).map(each => each.trim())),
    separator: SEPARATOR,
  };
}

const SEPARATOR = ',';
const SEPARATED = 'separated by commas';
const ELEMENT = /^[^,]+$/;

/** A flag without a value. */
export const yesOrNo: Kind<boolean> = {
  parse: given => (given === 'true' ? true : given === 'false' ? false : undefined),
  rule: 'must be true or false',
  schema: { type: 'boolean' },
  textOf: value => (typeof value === 'boolean' ? String(value) : undefined),
  valueOf: given => given === 'true',
};

// What is taken for one of these is shown: a URL may have a password.

export const host = text(
  given => (/^[^\s/@]+$/.test(given) ? given : undefined),
  'must be a name or an address',
);

export const filePath = text(
  given => (given.trim() === '' || given.includes('://') ? undefined : given),
  'must be the path of a file',
);

function stringIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
