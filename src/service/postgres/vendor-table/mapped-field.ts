import type { Fault } from '../../../shared/record/faults.ts';
import { Fields, isObject, printableName } from '../../../shared/record/fields.ts';
import { LIFECYCLE_FIELDS } from '../../../shared/record/lifecycle.ts';
import {
  type DeclaredField,
  declaredRule,
  FIELD_KINDS,
  type FieldKind,
  type FieldType,
  fieldRecord,
  parseDeclaredValue,
} from '../../roster/declared-fields.ts';
import { fieldNameProblem, newTypes } from '../../roster/writes/new-field.ts';
import { type DeclaredSource, parseSource, SOURCE_RULE } from './source.ts';

/** A declared field of a vendor's own table. Its number is its place in the mapping. */
export interface MappedField {
  readonly field: DeclaredField;
  readonly source: DeclaredSource;
}

/** What the file calls that which a type needs, as `fields list --json` does. */
const OPTIONS = { values: 'values', maxLength: 'max_length' } as const;

/** `undefined`: a fault has been added. */
export function parseMappedField(
  name: string,
  number: number,
  given: unknown,
  faults: Fault[],
): MappedField | undefined {
  const place = `fields.${printableName(name)}`;
  const wrong = (problem: string) => void faults.push({ field: place, problem });
  const problem = fieldNameProblem(name);
  if (problem !== null) return wrong(problem);
  if (!isObject(given)) return wrong(SOURCE_RULE);
  // That of `expires_at` and `last_used_at` needs no word.
  const isTime = LIFECYCLE_FIELDS.some(each => each === name);
  const fields = new Fields(isTime ? { type: 'timestamp', ...given } : given, `${place}.`, faults);
  const type = parseType(fields, isTime ? ['timestamp'] : FIELD_KINDS);
  if (type === undefined) return undefined;
  const field = { number, name, type };
  const rule = {
    parse: (value: unknown) => parseDeclaredValue(field, value),
    rule: declaredRule(field),
    ...(type.kind === 'timestamp' && { beside: 'unit' as const }),
  };
  const { needs } = newTypes[type.kind];
  const source = parseSource(given, place, rule, faults, ['type', ...(needs ? [OPTIONS[needs]] : [])]);
  return source ? { field, source } : wrong(SOURCE_RULE);
}

function parseType(fields: Fields, kinds: readonly FieldKind[]): FieldType | undefined {
  const isOne = (value: unknown) => kinds.find(kind => kind === value);
  const kind = fields.read('type', isOne, `must be one of ${kinds.join(', ')}`);
  if (kind === undefined) return undefined;
  const { needs, rule, make } = newTypes[kind];
  if (needs === null) return make({});
  const isList = needs === 'values';
  const parse = (value: unknown) => (Array.isArray(value) === isList ? make({ [needs]: value }) : undefined);
  return fields.read(OPTIONS[needs], parse, rule);
}

/** The field as the file of a mapping has it. */
export function mappedJson({ field, source }: MappedField): [name: string, source: object] {
  const { name, ...type } = fieldRecord(field);
  return [name, { ...source, ...type }];
}
