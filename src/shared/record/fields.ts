import type { Fault } from './faults.ts';

export const UNKNOWN_FIELD = 'unknown field';

/** Parses the fields of an object and collects their faults. */
export class Fields {
  readonly #object: Record<string, unknown>;
  readonly #path: string;
  readonly #faults: Fault[];

  constructor(object: Record<string, unknown>, path: string, faults: Fault[]) {
    this.#object = object;
    this.#path = path;
    this.#faults = faults;
  }

  /** The parsed value. If that is `undefined`, a fault has been added, and the caller must discard the object it builds. */
  read<T>(field: string, parse: (value: unknown) => T | undefined, rule: string): T {
    const value = this.#object[field];
    const parsed = value === undefined ? undefined : parse(value);
    if (parsed === undefined) this.fault(field, value === undefined ? `is missing: ${rule}` : rule);
    return parsed as T;
  }

  /** Also when the value is `undefined`. */
  has(field: string): boolean {
    return field in this.#object;
  }

  names(): readonly string[] {
    return Object.keys(this.#object);
  }

  refuseUnknown(known: readonly string[]): void {
    for (const field of this.names()) {
      if (!known.includes(field)) this.fault(printableName(field), UNKNOWN_FIELD);
    }
  }

  /** As `read`, but a field that isn't there is the fallback. */
  readOr<T, F>(field: string, parse: (value: unknown) => T | undefined, rule: string, fallback: F): T | F {
    return this.#object[field] === undefined ? fallback : this.read(field, parse, rule);
  }

  fault(field: string, problem: string): void {
    this.#faults.push({ field: this.#path + field, problem });
  }
}

/**
 * All that a program may read the object by, also what is inherited or hidden, apart from what every object has. For an object by
 * which somebody sees more where one of its members is overlooked.
 */
export function allMembers(object: Record<string, unknown>): Record<string, unknown> {
  const names = new Set<string>();
  const isOfEveryObject = (each: object) => Object.hasOwn(each, 'isPrototypeOf');
  for (let each: object | null = object; each && !isOfEveryObject(each); each = Object.getPrototypeOf(each))
    for (const name of Reflect.ownKeys(each)) names.add(String(name));
  names.delete('constructor');
  return Object.fromEntries(Array.from(names, name => [name, object[name]]));
}

/** As it is now: what a program changes in it later changes nothing. Arguments have no more levels. */
export function taken(given: unknown, levels = 4): unknown {
  if (levels === 0) return given;
  if (Array.isArray(given)) return Array.from(given, each => taken(each, levels - 1));
  if (!isObject(given)) return given;
  const all = Object.entries(allMembers(given)).map(([name, value]) => [name, taken(value, levels - 1)]);
  const members = Object.fromEntries(all);
  const own = Object.fromEntries(Object.keys(given).map(name => [name, members[name]]));
  return Object.create(members, Object.getOwnPropertyDescriptors(own)); // what was inherited or hidden still is
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The name of a field or a parameter, safe to repeat in a message. A caller may have put a secret where a name belongs, so a
 * text that is too long for a name, or has too many digits, isn't repeated.
 */
export function printableName(name: string): string {
  return /^(?!(?:.*\d){3})[$A-Za-z_][A-Za-z0-9_.[\]-]{0,31}$/.test(name) ? name : '(unprintable)';
}
