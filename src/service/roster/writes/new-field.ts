/** What a field may be declared as. Parsed once, by the command that declares it. */

import { RECORD_FIELDS } from '../../../shared/record/api-key-record.ts';
import { LIFECYCLE_FIELDS } from '../../../shared/record/lifecycle.ts';
import { looksLikeKey } from '../../../shared/record/looks-like-key.ts';
import { containsAdminKey } from '../../../shared/record/redact-admin-keys.ts';
import { type DeclaredField, type FieldKind, type FieldType, isPlainText } from '../declared-fields.ts';

/** So many of the longest text fit into a line of an import, and a page of 1,000 keys into an answer. */
export const MAX_FIELDS = 20;
export const MAX_TEXT_LENGTH = 200;
const MAX_VALUES = 50;

export type NewField = Omit<DeclaredField, 'number'>;

export interface FieldWriter {
  /** Refuses a name that is taken, and more than `MAX_FIELDS`. Writes no API key. */
  addField(field: NewField): Promise<DeclaredField>;
  /** For good: another field of this name has none of its values. Refuses an unknown name. */
  removeField(name: string): Promise<DeclaredField>;
}

const NAME = /^[a-z][a-z0-9_]{0,62}$/;

const FIELD_NAME_RULE =
  'must be 1 to 63 of a-z 0-9 _, starting with a letter, and no field of the record or column of the table';
const NO_KEY_MATERIAL_RULE =
  'means a key, a secret or a hash of one, and a record never holds any: choose another name';

const LIFECYCLE_RULE = `${LIFECYCLE_FIELDS.join(' and ')} have a meaning in a record, as timestamps: choose that type, or another name`;

/** Columns of the table in either store, those that PostgreSQL has in each, and what every object in JavaScript has. */
const RESERVED: readonly string[] = [
  ...RECORD_FIELDS,
  ...['organization_id', 'organization', 'created_by_id', 'created_by_type', 'workspace', 'creator'],
  ...['record', 'import', 'declared', 'tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid', 'constructor'],
];

/** A word of a name, such as `api` and `key` of `api_key`. */
const KEY_WORD =
  /^(?:api|access|secret|private|public|ssh|sign|signing|master)?keys?\d*$|secret|token|passw|passphrase|passcode|credential|digest|bearer|hash(?:e[sd])?\d*$|^(?:private|pwd|creds?|md5|sha\d*|bcrypt|argon2\w*|scrypt|salt|jwt)s?$/;

/** Why a field of this type can't have this name; `null`: it can. */
export function fieldNameProblem(name: string, kind: FieldKind = 'timestamp'): string | null {
  if (!NAME.test(name) || RESERVED.includes(name)) return FIELD_NAME_RULE;
  if (kind !== 'timestamp' && LIFECYCLE_FIELDS.some(known => known === name)) return LIFECYCLE_RULE;
  const isKey = looksLikeKey(name) || name.split('_').some(word => KEY_WORD.test(word));
  return isKey ? NO_KEY_MATERIAL_RULE : null;
}

const MAX_LENGTH_RULE = `must be a whole number from 1 to ${MAX_TEXT_LENGTH}`;
const VALUES_RULE = `must be 1 to ${MAX_VALUES} different texts of 1 to ${MAX_TEXT_LENGTH} characters, separated by commas, and none may look like a key`;

/** What a type needs besides its name, as the command line has it. */
export interface TypeFlags {
  readonly values?: readonly string[] | undefined;
  readonly maxLength?: number | undefined;
}

/** Makes each type of what was given for it; `undefined` when that breaks its rule, or isn't for this type. */
export const newTypes: {
  readonly [Kind in FieldType['kind']]: {
    /** The flag that the type needs. */
    readonly needs: keyof TypeFlags | null;
    readonly rule: string;
    make(flags: TypeFlags): Extract<FieldType, { kind: Kind }> | undefined;
  };
} = {
  timestamp: { needs: null, rule: '', make: () => ({ kind: 'timestamp' }) },
  integer: { needs: null, rule: '', make: () => ({ kind: 'integer' }) },
  boolean: { needs: null, rule: '', make: () => ({ kind: 'boolean' }) },
  'one-of': {
    needs: 'values',
    rule: VALUES_RULE,
    make: ({ values = [] }) => (areValues(values) ? { kind: 'one-of', values } : undefined),
  },
  text: {
    needs: 'maxLength',
    rule: MAX_LENGTH_RULE,
    make: ({ maxLength = 0 }) =>
      Number.isInteger(maxLength) && maxLength >= 1 && maxLength <= MAX_TEXT_LENGTH
        ? { kind: 'text', max_length: maxLength }
        : undefined,
  },
};

function areValues(values: readonly string[]): boolean {
  const few = values.length >= 1 && values.length <= MAX_VALUES && new Set(values).size === values.length;
  return few && values.every(value => isPlainText(value, MAX_TEXT_LENGTH) && !isKey(value));
}

function isKey(text: string): boolean {
  return containsAdminKey(text) || looksLikeKey(text);
}
