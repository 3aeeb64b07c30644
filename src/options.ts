/** How the functions of the library check their options. */
import { didYouMean } from './nearest-name.ts';
import { printableName } from './roster/fields.ts';

/** `parse` returns `undefined` for a value that breaks the rule. */
export interface OptionRule<T> {
  readonly parse: (value: unknown) => T | undefined;
  readonly rule: string;
}

// biome-ignore lint/suspicious/noExplicitAny: any option's type
type OptionRules = Readonly<Record<string, OptionRule<any>>>;

export type ParsedOptions<Rules extends OptionRules> = {
  readonly [Name in keyof Rules]?: NonNullable<ReturnType<Rules[Name]['parse']>>;
};

/** Throws a `TypeError` that names the option and its rule, never the value. An option that is `undefined` is left out. */
export function parseOptions<Rules extends OptionRules>(
  options: unknown,
  rules: Rules,
): ParsedOptions<Rules> {
  if (typeof options !== 'object' || options === null) throw new TypeError('options: must be an object');
  const parsed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const option = Object.hasOwn(rules, name) ? rules[name] : undefined;
    // A misspelt option would silently leave its default, such as no rate limit.
    if (!option) {
      const known = Object.keys(rules);
      const hint = didYouMean(name, known, `; the options are ${known.join(', ')}`);
      throw new TypeError(`${printableName(name)}: unknown option${hint}`);
    }
    const result = option.parse(value);
    if (result === undefined) throw new TypeError(`${name}: ${option.rule}`);
    parsed[name] = result;
  }
  return parsed as ParsedOptions<Rules>;
}

/** An option without a default. */
export function required<T>(name: string, parsed: T | undefined, { rule }: Pick<OptionRule<T>, 'rule'>): T {
  if (parsed === undefined) throw new TypeError(`${name}: ${rule}`);
  return parsed;
}

export const trueOrFalse: OptionRule<boolean> = {
  parse: value => (typeof value === 'boolean' ? value : undefined),
  rule: 'must be true or false',
};

export function wholeNumber(min: number, max: number): OptionRule<number> {
  return {
    parse: value =>
      Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined,
    rule: `must be a whole number from ${min} to ${max}`,
  };
}

/** An object with these methods, as it was given. */
export function objectWith<T>(...methods: readonly (keyof T & string)[]): OptionRule<T> {
  const has = (value: unknown) => methods.every(method => typeof Object(value)[method] === 'function');
  return {
    parse: value => (has(value) ? (value as T) : undefined),
    rule: `must have ${methods.map(method => `a function ${method}`).join(' and ')}`,
  };
}

/** An array of texts that `parse` takes as a whole. */
export function list<T>(
  parse: (texts: readonly unknown[]) => readonly T[] | undefined,
  rule: string,
): OptionRule<readonly T[]> {
  return { parse: value => (Array.isArray(value) ? parse(value) : undefined), rule: `${rule}, in an array` };
}
