import { type DeclaredField, declaredOfCell } from '../roster/declared-fields.ts';
import { type Fault, Refused } from '../roster/errors.ts';
import { isObject } from '../roster/fields.ts';
import { type ParsedApiKey, parseApiKey } from '../roster/parse-api-key.ts';
import { printableName } from '../roster/printable-name.ts';
import type { FieldSource, ImportMap } from './import-map.ts';
import { rfc3339Of } from './time-forms.ts';

/** A value, or the rule that the source's one breaks. */
type Mapped = { readonly value: unknown } | { readonly rule: string };

/** Parses records of a source with names and forms of its own. What the map doesn't name isn't read. */
export class MappedRecords {
  readonly #map: ImportMap;
  /** The fields of which no record has had the source yet. */
  readonly #unseen: Set<string>;
  readonly #declared: readonly DeclaredField[];
  #records = 0;

  constructor(map: ImportMap, declared: readonly DeclaredField[]) {
    this.#map = map;
    this.#declared = declared;
    this.#unseen = new Set(
      [...map].filter(([, source]) => nameIn(source) !== undefined).map(([field]) => field),
    );
  }

  /** The names that it reads, each with its field. */
  names(): readonly (readonly [string, string])[] {
    return [...this.#map].flatMap(([field, source]) => {
      const name = nameIn(source);
      return name === undefined ? [] : [[field, name] as const];
    });
  }

  parse(record: unknown): ParsedApiKey {
    if (!isObject(record)) return parseApiKey(record, this.#declared);
    this.#records += 1;
    const mapped: Record<string, unknown> = {};
    const faults: Fault[] = [];
    for (const [field, source] of this.#map) {
      const name = nameIn(source);
      const given = name === undefined ? undefined : valueAt(record, name);
      const declared = this.#declared.find(each => each.name === field);
      if (given !== undefined) this.#unseen.delete(field);
      else if (name !== undefined && !declared)
        faults.push({ field, problem: `the source has no ${printableName(name)}` });
      const isEmpty = name !== undefined && (given === undefined || (declared && isNone(given)));
      const result = isEmpty ? { value: undefined } : mappedValue(source, given);
      if ('rule' in result) faults.push({ field, problem: result.rule });
      else if (declared) mapped[field] = declaredValue(declared, result.value);
      else place(mapped, field, field === 'workspace_id' && result.value === '' ? null : result.value);
    }
    const parsed = parseApiKey(mapped, this.#declared);
    if (faults.length === 0) return parsed;
    const named = new Set(faults.map(({ field }) => field));
    const others = 'key' in parsed ? [] : parsed.faults.filter(({ field }) => !named.has(field));
    return { faults: [...faults, ...others] };
  }

  /** To be called at the end. Throws `Refused` for a name that no record has had: it is mistyped, or of another source. */
  requireAllSeen(): void {
    if (this.#records === 0 || this.#unseen.size === 0) return;
    const unseen = this.names().filter(([field]) => this.#unseen.has(field));
    const problems = unseen.map(([field, name]) => `fields.${field}: no line has ${printableName(name)}`);
    throw new Refused(`map: ${problems.join('; ')}`);
  }
}

function nameIn(source: FieldSource): string | undefined {
  if ('constant' in source) return undefined;
  return 'last' in source ? source.last : source.from;
}

/** The field of this name, else that at the end of this path. */
function valueAt(record: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(record, name)) return record[name];
  const dot = name.indexOf('.');
  const inner = dot < 0 ? undefined : record[name.slice(0, dot)];
  return isObject(inner) ? valueAt(inner, name.slice(dot + 1)) : undefined;
}

function mappedValue(source: FieldSource, given: unknown): Mapped {
  if ('constant' in source) return { value: source.constant };
  if ('last' in source) return { value: `${source.prefix}...${asText(given)}` };
  const { values, time, cut, mask } = source;
  if (values) {
    const value = values.get(String(given));
    return value === undefined ? { rule: 'is none of the values of the map' } : { value };
  }
  if (time !== undefined || cut !== undefined) {
    const found = rfc3339Of(given, time ?? 'rfc3339', cut ?? false);
    return 'rule' in found ? found : { value: found.text };
  }
  return mask === undefined ? { value: asText(given) } : masked(given, mask);
}

/** What a source has for a declared field that is `null`. */
function isNone(given: unknown): boolean {
  return given === null || given === '';
}

/** Where the source has none it is `null`. A number or a boolean may be text in the source, as in CSV. */
function declaredValue(field: DeclaredField, value: unknown): unknown {
  return typeof value === 'string' ? declaredOfCell(field, value) : (value ?? null);
}

/** A whole number is an ID or a name as text; one that JavaScript can't tell from its neighbour isn't. */
function asText(given: unknown): unknown {
  return Number.isSafeInteger(given) ? String(given) : given;
}

/** With an ellipsis for the one run of the mask's characters. */
function masked(given: unknown, mask: string): Mapped {
  const parts = typeof given === 'string' ? given.split(mask) : [];
  const shown = [parts[0], parts.at(-1)];
  const isOneRun = parts.length > 1 && parts.slice(1, -1).every(part => part === '');
  return isOneRun ? { value: shown.join('...') } : { rule: `must have one run of the mask's characters` };
}

/** `created_by.id` is in an object of its own. */
function place(record: Record<string, unknown>, field: string, value: unknown): void {
  const dot = field.indexOf('.');
  if (dot < 0) {
    record[field] = value;
    return;
  }
  const outer = field.slice(0, dot);
  const inner = isObject(record[outer]) ? record[outer] : {};
  record[outer] = inner;
  place(inner, field.slice(dot + 1), value);
}
