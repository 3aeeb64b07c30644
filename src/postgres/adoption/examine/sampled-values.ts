import type { Fault } from '../../../roster/errors.ts';
import { idLooksLikeKey, looksLikeKey } from '../../../roster/looks-like-key.ts';
import { MIN_SHARE_OF_KEYS } from '../catalogue/key-columns.ts';
import { FIELDS, type FieldName, type FieldRule } from '../mapping/mapping.ts';

export interface Finding extends Fault {
  /** Whether the mapping must not be used because of it. */
  readonly isFault: boolean;
}

/** What is read of each row to check the field. The view cuts long names; a time is only in its years or not. */
export function sampledAs(field: FieldName, expression: string): string {
  if (field === 'name') return `left(coalesce(${expression}, ''), 1000)`;
  if (field !== 'created_at') return expression;
  return `CASE WHEN ${expression} >= '0001-01-01 00:00:00+00' AND ${expression} < '10000-01-01 00:00:00+00' THEN 'a time' END`;
}

/** What is wrong with these values of a field. No value is in a message. */
export function findingsIn(field: FieldName, values: readonly (string | null)[]): Finding[] {
  const { parse, rule }: FieldRule = FIELDS[field];
  const share = (count: number) => `${count} of ${values.length} sampled rows`;
  const wrong = values.filter(value => parse(value) === undefined).length;
  const keys = values.filter(value => value !== null && showsKey(field, value)).length;
  const place = `fields.${field}`;
  const broken = { field: place, problem: `${share(wrong)} break its rule: ${rule}`, isFault: false };
  const shown = {
    field: place,
    problem: `${share(keys)} would show what looks like a full key or a hash of one`,
    isFault: keys >= values.length * MIN_SHARE_OF_KEYS,
  };
  return [...(wrong > 0 ? [broken] : []), ...(keys > 0 ? [shown] : [])];
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
