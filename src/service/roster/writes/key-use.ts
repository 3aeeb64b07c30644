/** The last use of an API key, which its declared field `last_used_at` tells. It only moves forward, whoever writes it. */

import type { Fault, Faulty } from '../../../shared/record/faults.ts';
import { isObject } from '../../../shared/record/fields.ts';
import { type ApiKeyId, KEY_ID_RULE, parseKeyId } from '../../../shared/record/identifier.ts';
import type { LifecycleField } from '../../../shared/record/lifecycle.ts';
import {
  parseTimestamp,
  TIMESTAMP_RULE,
  type Timestamp,
  timestampNow,
} from '../../../shared/record/timestamp.ts';
import type { ApiKey } from '../api-key.ts';
import type { DeclaredField } from '../declared-fields.ts';
import { parseObject } from './parse-object.ts';
import type { PutOutcome } from './put-outcome.ts';

/** A use, which is no change of the key: no import counts it as one, and the audit log hasn't it. */
export interface KeyUse {
  readonly id: ApiKeyId;
  readonly lastUsedAt: Timestamp;
}

export const LAST_USED_AT = 'last_used_at' satisfies LifecycleField;
const USE_FIELDS: readonly string[] = ['id', LAST_USED_AT];

/** Whether it has no other field of a record than the last use, and that of whose it is. */
export function looksLikeUse(record: unknown): boolean {
  return isObject(record) && LAST_USED_AT in record && Object.keys(record).length <= USE_FIELDS.length;
}

export const USE_RULE = `${TIMESTAMP_RULE}, and not more than a day ahead: a later use never takes it back`;
const DAY = 86_400_000_000n;

function parseUse(value: unknown): Timestamp | undefined {
  const time = parseTimestamp(value);
  return time === undefined || time > timestampNow() + DAY ? undefined : time;
}

export function parseKeyUse(record: unknown): { readonly key: KeyUse } | Faulty {
  return parseObject(record, USE_FIELDS, fields => ({
    key: {
      id: fields.read('id', parseKeyId<ApiKeyId>, KEY_ID_RULE),
      lastUsedAt: fields.read(LAST_USED_AT, parseUse, USE_RULE),
    },
  }));
}

export function isUse<Line extends { key: object }>(line: Line): line is Line & { readonly key: KeyUse } {
  return 'lastUsedAt' in line.key;
}

export function lastUseField(fields: readonly DeclaredField[]): DeclaredField | undefined {
  return fields.find(({ name }) => name === LAST_USED_AT);
}

/** @param before the last use that is stored; `null` where none is, `undefined` where there is no such key. */
export function useOutcome(before: Timestamp | null | undefined, { lastUsedAt }: KeyUse): PutOutcome {
  if (before === undefined) return { faults: [UNKNOWN_KEY] };
  return { result: before === null || before < lastUsedAt ? 'updated' : 'unchanged' };
}

const UNKNOWN_KEY: Fault = { field: 'id', problem: 'no such API key in this organization' };

const NO_FIELD: Fault = { field: LAST_USED_AT, problem: 'is not declared: "keyroster fields add" does it' };

/** Of a use where the field isn't declared. */
export const NOT_DECLARED: PutOutcome = { faults: [NO_FIELD] };

/** The key to be put with the last use of the stored record, where that is later: who changes a key may not know its uses. */
export function withLastUse(key: ApiKey, before: string | undefined): ApiKey {
  const { declared = [] } = key;
  const given = declared.find(({ field }) => field.name === LAST_USED_AT);
  if (!given || before === undefined) return key;
  const value: string | null = JSON.parse(before)[LAST_USED_AT];
  if (value === null || (given.value !== null && given.value >= value)) return key;
  return { ...key, declared: declared.map(each => (each === given ? { ...each, value } : each)) };
}
