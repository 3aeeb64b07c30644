import { formatTimestamp, parseTimestamp, TIMESTAMP_RULE } from '../../shared/record/timestamp.ts';

/** A field of the vendor's own, which stands after the contract's in each record (docs/api.md#declared-fields). May be `null` in any. */
export interface DeclaredField {
  /** Never used again, also when the field is removed. Fields stand in the order of their numbers. */
  readonly number: number;
  readonly name: string;
  readonly type: FieldType;
}

/** What is there where a store has none: one array, so that it can be told without a look at its length. */
export const NO_FIELDS: readonly DeclaredField[] = [];

/** As JSON has it: a timestamp is text, as `created_at` is. */
export type DeclaredValue = string | number | boolean;

/** A value of an API key, with its field. */
export interface Declared {
  readonly field: DeclaredField;
  readonly value: DeclaredValue | null;
}

interface TypeOptions {
  readonly timestamp: object;
  readonly integer: object;
  readonly boolean: object;
  readonly 'one-of': { readonly values: readonly string[] };
  readonly text: { readonly max_length: number };
}

export type FieldKind = keyof TypeOptions;
type TypeOf<Kind extends FieldKind> = { readonly kind: Kind } & TypeOptions[Kind];
export type FieldType = { [Kind in FieldKind]: TypeOf<Kind> }[FieldKind];

/** What a type means in every place that reads, checks or describes a value. */
interface TypeTraits<Type> {
  /** `undefined` for a value that breaks the rule. */
  parse(value: unknown, type: Type): DeclaredValue | undefined;
  rule(type: Type): string;
  schema(type: Type): object;
  /** What a cell of CSV, which isn't empty, is in JSON; absent: that text. */
  ofText?(text: string): unknown;
}

const typeTraits: { readonly [Kind in FieldKind]: TypeTraits<TypeOf<Kind>> } = {
  timestamp: {
    parse: value => {
      const timestamp = parseTimestamp(value);
      return timestamp === undefined ? undefined : formatTimestamp(timestamp);
    },
    rule: () => TIMESTAMP_RULE,
    schema: () => ({ type: 'string', format: 'date-time' }),
  },
  integer: {
    parse: value => (Number.isSafeInteger(value) ? (value as number) + 0 : undefined), // no -0
    rule: () => `must be a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
    schema: () => ({
      type: 'integer',
      format: 'int64',
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
    ofText: text => (/^-?\d{1,16}$/.test(text) ? Number(text) : text),
  },
  boolean: {
    parse: value => (typeof value === 'boolean' ? value : undefined),
    rule: () => 'must be true or false',
    schema: () => ({ type: 'boolean' }),
    ofText: text => ({ true: true, false: false })[text] ?? text,
  },
  'one-of': {
    parse: (value, { values }) => values.find(known => known === value),
    rule: ({ values }) => `must be one of ${values.join(', ')}`,
    schema: ({ values }) => ({ type: 'string', enum: values }),
  },
  text: {
    parse: (value, { max_length }) => (isPlainText(value, max_length) ? value : undefined),
    rule: ({ max_length }) =>
      `must be text of 1 to ${max_length} characters, without NUL or broken surrogates; null where there is none`,
    schema: ({ max_length }) => ({ type: 'string', minLength: 1, maxLength: max_length }),
  },
};

export const FIELD_KINDS = Object.keys(typeTraits) as FieldKind[];

const traitsOf = ({ kind }: FieldType) => typeTraits[kind] as TypeTraits<FieldType>;

/** The value as it is stored and rendered; `undefined` when it breaks its rule. */
export function parseDeclaredValue(
  { type }: DeclaredField,
  value: unknown,
): DeclaredValue | null | undefined {
  return value === null ? null : traitsOf(type).parse(value, type);
}

export function declaredRule({ type }: DeclaredField): string {
  return `${traitsOf(type).rule(type)}, or null`;
}

export function declaredSchema({ type }: DeclaredField): object {
  return { anyOf: [traitsOf(type).schema(type), { type: 'null' }] };
}

/** The value of a cell of CSV, as JSON has it. An empty cell is `null`: no text is empty. */
export function declaredOfCell({ type }: DeclaredField, cell: string): unknown {
  const { ofText = String } = traitsOf(type);
  return cell === '' ? null : ofText(cell);
}

/** Empty text isn't allowed, since CSV can't tell it from `null`. The length is in Unicode code points. */
export function isPlainText(value: unknown, maxLength: number): value is string {
  if (typeof value !== 'string' || value === '' || value.length > 2 * maxLength) return false;
  return [...value].length <= maxLength && value.isWellFormed() && !value.includes('\0');
}

/** The values for the fields that are declared now: `null` for one that wasn't known yet; `undefined` when one was removed. */
export function valuesNow(
  given: readonly Declared[] = [],
  fields: readonly DeclaredField[],
): readonly Declared[] | undefined {
  const values = new Map(given.map(({ field, value }) => [field.number, value]));
  const now = fields.map(field => ({ field, value: values.get(field.number) ?? null }));
  return given.every(({ field }) => fields.some(({ number }) => number === field.number)) ? now : undefined;
}

/** The record with the fields after those that it has. */
export function withDeclared(
  record: string,
  fields: readonly DeclaredField[],
  value: (field: DeclaredField) => DeclaredValue | null,
): string {
  const members = fields.map(field => `,"${field.name}":${JSON.stringify(value(field))}`);
  return `${record.slice(0, -1)}${members.join('')}}`;
}

/** A field as `fields list --json` shows it. */
export type FieldRecord = { readonly name: string; readonly type: FieldKind } & Partial<
  TypeOptions['one-of'] & TypeOptions['text']
>;

export function fieldRecord({
  name,
  type: { kind, ...options },
}: Omit<DeclaredField, 'number'>): FieldRecord {
  return { name, type: kind, ...options };
}

/** A field as a store has it. Throws an `Error` for a type that this release doesn't know. */
export function storedField(number: number, name: string, type: string): DeclaredField {
  const parsed: FieldType | null = JSON.parse(type);
  if (FIELD_KINDS.some(kind => kind === parsed?.kind)) return { number, name, type: parsed as FieldType };
  throw new Error(`the declared field ${name} has a type that this release doesn't know`);
}
