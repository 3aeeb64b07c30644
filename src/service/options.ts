/** How options are checked: those of the library's functions, and the settings of `serve`, of which many are both. */
import { didYouMean } from '../shared/nearest-name.ts';
import { printableName } from '../shared/record/fields.ts';

/** `parse` returns `undefined` for a value that breaks the rule. */
export interface OptionRule<T> {
  readonly parse: (value: unknown) => T | undefined;
  readonly rule: string;
  /** A value that `parse` takes. */
  readonly byDefault?: string | number | boolean | undefined;
}

/** What the values of a setting are. */
export interface Kind<T> extends OptionRule<T> {
  /** The text of a flag or a variable as such a value. */
  readonly read: (text: string) => unknown;
  /** The rule of that text, where it isn't the same. */
  readonly ruleOfText?: string;
  readonly choices?: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: any option's type
type OptionRules = Readonly<Record<string, OptionRule<any>>>;

type Parsed<Rule> = Rule extends OptionRule<infer T> ? T : never;

type WithDefault<Rules> = {
  [Name in keyof Rules]: Rules[Name] extends { readonly byDefault: NonNullable<unknown> } ? Name : never;
}[keyof Rules];

/** The value of each. One without a default is absent where nobody sets it. */
export type ParsedOptions<Rules> = {
  readonly [Name in WithDefault<Rules>]: Parsed<Rules[Name]>;
} & { readonly [Name in Exclude<keyof Rules, WithDefault<Rules>>]?: Parsed<Rules[Name]> };

/** Throws a `TypeError` that names the option and its rule, never the value. An option that is `undefined` is left out. */
export function parseOptions<Rules extends OptionRules>(
  options: unknown,
  rules: Rules,
): ParsedOptions<Rules> {
  if (typeof options !== 'object' || options === null) throw new TypeError('options: must be an object');
  const parsed: Record<string, unknown> = {};
  for (const [name, { parse, byDefault }] of Object.entries(rules))
    if (byDefault !== undefined) parsed[name] = parse(byDefault);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const option = Object.hasOwn(rules, name) ? rules[name] : undefined;
    // A misspelt option would silently leave its default.
    if (!option) {
      const known = Object.keys(rules);
      const hint = didYouMean(name, known, `; the options are ${known.join(', ')}`);
      throw new TypeError(`${printableName(name)}: unknown option${hint}`);
    }
    parsed[name] = required(name, option.parse(value), option);
  }
  return parsed as ParsedOptions<Rules>;
}

/** The same for options that are given or have a default, each of them. */
export function parseAllOptions<Rules extends OptionRules>(options: unknown, rules: Rules) {
  const parsed: Readonly<Record<string, unknown>> = parseOptions(options, rules);
  for (const [name, rule] of Object.entries(rules)) required(name, parsed[name], rule);
  return parsed as { readonly [Name in keyof Rules]: Parsed<Rules[Name]> };
}

/** The same for an option that has to be given. */
export function required<T>(name: string, parsed: T | undefined, { rule }: Pick<OptionRule<T>, 'rule'>): T {
  if (parsed === undefined) throw new TypeError(`${name}: ${rule}`);
  return parsed;
}

/** An option that would do nothing beside another one, or without it. */
export type Senseless<Name> = readonly [option: Name, relation: 'with' | 'without', other: Name];

export function senselessOf<Name>(
  all: readonly Senseless<Name>[],
  isGiven: (name: Name) => boolean,
): Senseless<Name> | undefined {
  return all.find(([option, relation, other]) => isGiven(option) && isGiven(other) === (relation === 'with'));
}

export const trueOrFalse: Kind<boolean> = {
  parse: value => (typeof value === 'boolean' ? value : undefined),
  rule: 'must be true or false',
  read: text => (text === 'true' ? true : text === 'false' ? false : text),
};

export function wholeNumber(min: number, max: number): Kind<number> {
  return {
    parse: value =>
      Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined,
    rule: `must be a whole number from ${min} to ${max}`,
    read: text => (/^\d{1,7}$/.test(text) ? Number(text) : text),
  };
}

/** Control characters are in none: they end a path, and could move the cursor where the text is shown. */
export function text<T>(parse: (text: string) => T | undefined, rule: string): Kind<T> {
  return {
    parse: value => (typeof value === 'string' && !/\p{Cc}/u.test(value) ? parse(value) : undefined),
    rule,
    read: given => given,
  };
}

export function choice<const Value extends string>(choices: readonly Value[]): Kind<Value> {
  return {
    ...text(given => choices.find(each => each === given), `must be one of ${choices.join(', ')}`),
    choices,
  };
}

/** An array of texts that `parse` takes as a whole. In a flag they are separated by commas, so none has one. */
export function list<T>(
  parse: (texts: readonly string[]) => readonly T[] | undefined,
  rule: string,
): Kind<readonly T[]> {
  const areTexts = (value: unknown): value is readonly string[] =>
    Array.isArray(value) && value.every(each => typeof each === 'string');
  return {
    parse: value => (areTexts(value) ? parse(value) : undefined),
    rule: `${rule}, in an array`,
    read: given => (given === '' ? [] : given.split(',').map(each => each.trim())),
    ruleOfText: `${rule}, separated by commas`,
  };
}

export const aFunction = <T>(): OptionRule<T> => ({
  parse: value => (typeof value === 'function' ? (value as T) : undefined),
  rule: 'must be a function',
});

/** An object with these methods, as it was given. */
export function objectWith<T>(...methods: readonly (keyof T & string)[]): OptionRule<T> {
  const has = (value: unknown) => methods.every(method => typeof Object(value)[method] === 'function');
  return {
    parse: value => (has(value) ? (value as T) : undefined),
    rule: `must have ${methods.map(method => `a function ${method}`).join(' and ')}`,
  };
}
