/** Generators of declared fields and of values for them. */
import fc from 'fast-check';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import {
  type DeclaredField,
  type DeclaredValue,
  FIELD_KINDS,
  type FieldKind,
  type FieldType,
} from '../../src/service/roster/declared-fields.ts';
import { fieldNameProblem, type NewField } from '../../src/service/roster/writes/new-field.ts';
import { formatTimestamp } from '../../src/shared/record/timestamp.ts';
import { anyCharacter, timestamp } from './arbitraries.ts';

const character = anyCharacter.filter(text => text !== '\0');
const texts = (maxLength: number) =>
  fc
    .string({
      unit: fc.oneof(fc.constantFrom(...['"', ',', ';', '=', '-', '\n', '\r', '\\', '🗝', "'"]), character),
      minLength: 1,
      maxLength,
    })
    .filter(text => [...text].length <= maxLength);

const types: { readonly [Kind in FieldKind]: fc.Arbitrary<FieldType> } = {
  timestamp: fc.constant({ kind: 'timestamp' }),
  integer: fc.constant({ kind: 'integer' }),
  boolean: fc.constant({ kind: 'boolean' }),
  'one-of': fc
    .uniqueArray(texts(8), { minLength: 1, maxLength: 4 })
    .map(values => ({ kind: 'one-of', values })),
  text: fc.integer({ min: 1, max: 200 }).map(max_length => ({ kind: 'text', max_length })),
};

export const fieldType = fc.constantFrom(...FIELD_KINDS).chain(kind => types[kind]);

const fieldName = fc.stringMatching(/^[a-z][a-z0-9_]{0,62}$/).filter(name => fieldNameProblem(name) === null);

/** With all types among them, often. */
export const newFields: fc.Arbitrary<NewField[]> = fc.uniqueArray(
  fc.record({ name: fieldName, type: fieldType }, { noNullPrototype: true }),
  { selector: ({ name }) => name, minLength: 1, maxLength: 20 },
);

export const declaredFields: fc.Arbitrary<DeclaredField[]> = newFields.map(fields =>
  fields.map((field, index) => ({ number: index + 1, ...field })),
);

function anyOf(type: FieldType): fc.Arbitrary<DeclaredValue> {
  if (type.kind === 'timestamp') return timestamp.map(formatTimestamp);
  if (type.kind === 'integer')
    return fc.oneof(
      fc.maxSafeInteger(),
      fc.constantFrom(0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
    );
  if (type.kind === 'boolean') return fc.boolean();
  return type.kind === 'one-of' ? fc.constantFrom(...type.values) : texts(type.max_length);
}

/** The keys with any value, or `null`, for each of these fields. */
export function withDeclaredValues(
  keys: fc.Arbitrary<ApiKey>,
  fields: readonly DeclaredField[],
): fc.Arbitrary<ApiKey> {
  const values = fc.tuple(...fields.map(field => fc.option(anyOf(field.type), { freq: 4 })));
  return fc.tuple(keys, values).map(([key, all]) => ({
    ...key,
    declared: fields.map((field, index) => ({ field, value: all[index] ?? null })),
  }));
}
