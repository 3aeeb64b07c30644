import { didYouMean } from '../../shared/nearest-name.ts';
import type { Fault } from '../../shared/record/faults.ts';
import { isObject, printableName } from '../../shared/record/fields.ts';

/** What a value must be. `hint` says more about a wrong one, such as the name that it resembles. */
export interface Kind<T> {
  readonly parse: (value: unknown) => T | undefined;
  readonly rule: string;
  readonly hint?: (value: unknown) => string;
}

/**
 * Reads an object of a policies file, and adds a fault with its place for each wrong member. A wrong value is read as `undefined` or
 * left out of its list: whoever reads must look for faults before using what was read.
 */
export class PolicyFields {
  readonly path: string;
  /** Empty where the value is none: then no member is missed. */
  readonly #object: Record<string, unknown>;
  readonly #isObject: boolean;
  readonly #faults: Fault[];

  /** @param path of the object, such as `policies[2]`; empty for the whole file. */
  constructor(value: unknown, path: string, faults: Fault[]) {
    this.path = path;
    this.#faults = faults;
    this.#isObject = isObject(value);
    this.#object = isObject(value) ? value : {};
    if (!this.#isObject) faults.push({ field: path || null, problem: 'must be a JSON object' });
  }

  has(member: string): boolean {
    return this.#object[member] !== undefined;
  }

  refuseUnknown(known: readonly string[]): void {
    for (const member of Object.keys(this.#object))
      if (!known.includes(member))
        this.fault(printableName(member), `unknown member${didYouMean(member, known)}`);
  }

  /** A member that isn't there is `undefined`, without a fault. */
  optional<T>(member: string, kind: Kind<T>): T | undefined {
    return this.has(member) ? this.#parsed(member, this.#object[member], kind) : undefined;
  }

  required<T>(member: string, kind: Kind<T>): T | undefined {
    if (this.#isObject && !this.has(member)) this.fault(member, `is missing: ${kind.rule}`);
    return this.optional(member, kind);
  }

  /** Of at least one. */
  list<T>(member: string, max: number, kind: Kind<T>): readonly T[] {
    const rule = `must be a list of 1 to ${max}`;
    const parse = (value: unknown) =>
      Array.isArray(value) && value.length >= 1 && value.length <= max ? (value as unknown[]) : undefined;
    const items = this.required(member, { parse, rule }) ?? [];
    const parsed = items.map((item, index) => this.#parsed(`${member}[${index}]`, item, kind));
    return parsed.filter(item => item !== undefined);
  }

  /** The objects of such a list. */
  objects(member: string, max: number): readonly PolicyFields[] {
    const all = this.list(member, max, { parse: value => ({ value }), rule: '' });
    return all.map(
      ({ value }, index) => new PolicyFields(value, this.#placeOf(`${member}[${index}]`), this.#faults),
    );
  }

  object(member: string): PolicyFields {
    return new PolicyFields(
      this.has(member) ? this.#object[member] : {},
      this.#placeOf(member),
      this.#faults,
    );
  }

  fault(member: string, problem: string): void {
    this.#faults.push({ field: this.#placeOf(member), problem });
  }

  #parsed<T>(place: string, value: unknown, { parse, rule, hint }: Kind<T>): T | undefined {
    const parsed = parse(value);
    if (parsed === undefined) this.fault(place, rule + (hint?.(value) ?? ''));
    return parsed;
  }

  #placeOf(member: string): string {
    return this.path === '' ? member : `${this.path}.${member}`;
  }
}

/** One of these names; says which of them a mistyped one resembles. */
export function nameOf<Name extends string>(known: readonly Name[]): Kind<Name> {
  return {
    parse: value => known.find(name => name === value),
    rule: `must be one of ${known.join(', ')}`,
    hint: value => (typeof value === 'string' ? didYouMean(value, known) : ''),
  };
}

export function wholeNumber(min: number, max: number): Kind<number> {
  return {
    parse: value =>
      Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined,
    rule: `must be a whole number from ${min} to ${max}`,
  };
}
