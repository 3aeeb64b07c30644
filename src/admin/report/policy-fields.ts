import { didYouMean } from '../../shared/nearest-name.ts';
import type { Fault } from '../../shared/record/faults.ts';
import { Fields, isObject, printableName } from '../../shared/record/fields.ts';
import { OWNER_ID_RULE, parseOwnerId } from '../../shared/record/identifier.ts';

export const MAX_IDS = 10_000;

/** What a value must be. */
export interface Kind<T> {
  readonly parse: (value: unknown) => T | undefined;
  readonly rule: string;
}

/** An object of a policies file. A wrong value is read as `undefined` or left out of its list: whoever reads looks for faults first. */
export class PolicyFields extends Fields {
  /** Such as `policies[2]`; empty for the whole file. */
  readonly path: string;
  readonly #faults: Fault[];
  readonly #asked = new Set<string>();

  constructor(object: Record<string, unknown>, path: string, faults: Fault[]) {
    super(object, path === '' ? '' : `${path}.`, faults);
    this.path = path;
    this.#faults = faults;
  }

  required<T>(member: string, { parse, rule }: Kind<T>): T | undefined {
    this.#asked.add(member);
    return this.read(member, parse, rule);
  }

  /** A member that isn't there is `undefined`, without a fault. */
  optional<T>(member: string, kind: Kind<T>): T | undefined {
    return this.has(member) ? this.required(member, kind) : undefined;
  }

  /** Refuses all members that weren't asked for until now, but those that mean nothing here. */
  refuseOthers(...ignored: readonly string[]): void {
    const known = [...ignored, ...this.#asked];
    for (const member of this.names())
      if (!known.includes(member))
        this.fault(printableName(member), `unknown member${didYouMean(member, known)}`);
  }

  override has(member: string): boolean {
    this.#asked.add(member);
    return super.has(member);
  }

  /** Of at least one. */
  list<T>(member: string, max: number, { parse, rule }: Kind<T>): readonly T[] {
    const isList = (value: unknown): value is unknown[] =>
      Array.isArray(value) && value.length >= 1 && value.length <= max;
    const items = this.required(member, {
      parse: value => (isList(value) ? value : undefined),
      rule: `must be a list of 1 to ${max}`,
    });
    const parsed = (items ?? []).map((item, index) => {
      const value = parse(item);
      if (value === undefined) this.fault(`${member}[${index}]`, rule);
      return value;
    });
    return parsed.filter(value => value !== undefined);
  }

  /** The objects of such a list. */
  objects(member: string, max: number): readonly PolicyFields[] {
    let index = 0;
    const parse = (value: unknown) => this.#objectAt(`${member}[${index++}]`, value);
    return this.list(member, max, { parse, rule: OBJECT_RULE });
  }

  object(member: string): PolicyFields | undefined {
    return this.optional(member, { parse: value => this.#objectAt(member, value), rule: OBJECT_RULE });
  }

  #objectAt(place: string, value: unknown): PolicyFields | undefined {
    const path = this.path === '' ? place : `${this.path}.${place}`;
    return isObject(value) ? new PolicyFields(value, path, this.#faults) : undefined;
  }
}

export const OBJECT_RULE = 'must be a JSON object';

export function nameOf<Name extends string>(known: readonly Name[]): Kind<Name> {
  return { parse: value => known.find(name => name === value), rule: `must be one of ${known.join(', ')}` };
}

export function wholeNumber(min: number, max: number): Kind<number> {
  return {
    parse: value =>
      Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined,
    rule: `must be a whole number from ${min} to ${max}`,
  };
}

/** Of a key too: what another service gives its keys for IDs may have more characters than ours. */
export const ID: Kind<string> = { parse: parseOwnerId, rule: OWNER_ID_RULE };

export function textOf(max: number): Kind<string> {
  return {
    parse: value => (typeof value === 'string' && value !== '' && value.length <= max ? value : undefined),
    rule: `must be a text of 1 to ${max} characters`,
  };
}
