import { CREATOR_TYPES, NAME_RULE, parseName, parseStatus, STATUS_RULE } from '../../../roster/api-key.ts';
import type { Fault } from '../../../roster/errors.ts';
import { ID_RULE, parseId } from '../../../roster/identifier.ts';
import { idLooksLikeKey, looksLikeKey } from '../../../roster/looks-like-key.ts';
import { PARTIAL_KEY_HINT_RULE, parsePartialKeyHint } from '../../../roster/partial-key-hint.ts';
import { MIN_SHARE_OF_KEYS } from '../catalogue/key-columns.ts';
import type { FieldName } from '../mapping/mapping.ts';

export interface Finding extends Fault {
  /** Whether the mapping must not be used because of it. */
  readonly isFault: boolean;
}

interface ValueRule {
  readonly fits: (value: string | null) => boolean;
  readonly rule: string;
}

const id: ValueRule = { fits: value => parseId(value) !== undefined, rule: ID_RULE };

const rules: Readonly<Record<FieldName, ValueRule>> = {
  organization_id: { ...id, rule: `${ID_RULE}; a row without one is in no list` },
  id,
  name: { fits: value => parseName(value ?? '') !== undefined, rule: NAME_RULE },
  created_at: { fits: value => value === 'true', rule: 'must be a time of the years 1 to 9999' },
  created_by_id: id,
  created_by_type: {
    fits: value => CREATOR_TYPES.some(type => type === value),
    rule: `must be one of ${CREATOR_TYPES.join(', ')}`,
  },
  partial_key_hint: { fits: value => parsePartialKeyHint(value) !== undefined, rule: PARTIAL_KEY_HINT_RULE },
  status: { fits: value => parseStatus(value) !== undefined, rule: STATUS_RULE },
  workspace_id: { fits: value => value === null || id.fits(value), rule: `${ID_RULE}, or NULL` },
};

/** What is read of each row to check the field. The view cuts long names; a time is only in its years or not. */
export function sampledAs(field: FieldName, expression: string): string {
  if (field === 'name') return `left(${expression}, 1000)`;
  if (field !== 'created_at') return expression;
  return `(${expression} >= '0001-01-01 00:00:00+00' AND ${expression} < '10000-01-01 00:00:00+00')::text`;
}

/** What is wrong with these values of a field. No value is in a message. */
export function findingsIn(field: FieldName, values: readonly (string | null)[]): Finding[] {
  const { fits, rule } = rules[field];
  const count = (are: (value: string | null) => boolean) => values.filter(are).length;
  const share = (number: number) => `${number} of ${values.length} sampled rows`;
  const wrong = count(value => !fits(value));
  const keys = count(value => value !== null && showsKey(field, value));
  const place = `fields.${field}`;
  return [
    ...(wrong > 0
      ? [{ field: place, problem: `${share(wrong)} break its rule: ${rule}`, isFault: false }]
      : []),
    ...(keys > 0
      ? [
          {
            field: place,
            problem: `${share(keys)} would show what looks like a full key or a hash of one`,
            isFault: keys >= values.length * MIN_SHARE_OF_KEYS,
          },
        ]
      : []),
  ];
}

/** What people read. IDs are random texts too. */
export function isShown(field: FieldName): boolean {
  return field === 'name' || field === 'partial_key_hint';
}

/** The fields that come from a value as it is, and are no texts for people. */
export const ID_FIELDS = ['organization_id', 'id', 'created_by_id', 'workspace_id'] as const;

/** A whole key fits before the dots of a hint. */
function showsKey(field: FieldName, value: string): boolean {
  if (!isShown(field)) return ID_FIELDS.some(name => name === field) && idLooksLikeKey(value);
  const parts = field === 'partial_key_hint' ? value.split('...') : [value];
  return parts.some(looksLikeKey);
}
