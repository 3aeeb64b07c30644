import { idLooksLikeKey, looksLikeKey, ownerIdLooksLikeKey } from '../../../shared/record/looks-like-key.ts';
import type { Column } from './catalogue.ts';
import { wordsOf } from './column-names.ts';

export const NO_KEY_COLUMN =
  'no column is recognized as the one with keys or hashes of keys: make sure that no field, nor the ID, is a key';

/** Why a column is taken for one with full keys or with hashes of them; `null`: it isn't. */
export function keyColumnReason(column: Column): 'its name' | 'its values' | null {
  if (hasKeysByName(column)) return 'its name';
  const isOfKey = column.isUnique || column.isInPrimaryKey;
  const isOne = !isNamedAsId(column) ? looksLikeKey : isOfKey ? idLooksLikeKey : ownerIdLooksLikeKey;
  return hasValuesLike(column, isOne) ? 'its values' : null;
}

/** The names of what is a key, or is made of one. In joined words, since a name may not show where they end: `keyhash`. */
const KEY =
  /(?:key|token|secret|hash|digest|password|passwd|credentials?|hmac|signature|salt|bcrypt|sha(?:1|256|384|512)|md5)(?:e?s)?$/;
const KEY_IN_A_FORM =
  /(?:key|token|secret|hash|digest)(?:value|raw|plain|plaintext|full|encrypted|enc|encoded|hashed|cipher|ciphertext|data)s?$/;
const FORM_OF_KEY =
  /^(?:hashed|encrypted|cipher|ciphertext|secret)(?!.*(?:id|prefix|start|hint|last4|preview|name|at|type|algorithm|version|salt)$)/;
/** What shows a part of a key, by its name. */
const MASKED = /^(?:masked|redacted|obfuscated|partial|truncated|short|display)/;
/** Names of what is often an ID. */
const OF_IDS = /^(?:tenant|org|organi[sz]ation|team|project|workspace|primary|foreign|sort|partition)key$/;
const OF_KEYS = [KEY, KEY_IN_A_FORM, FORM_OF_KEY];

const KEY_KINDS: readonly Column['kind'][] = ['text', 'uuid', 'bytes', 'other'];

/** What a column is called, unless its values show that it has no keys. Where there are none, the name decides. */
export function hasKeysByName(column: Column): boolean {
  const name = wordsOf(column.name).join('');
  if (!KEY_KINDS.includes(column.kind) || MASKED.test(name) || !OF_KEYS.some(form => form.test(name)))
    return false;
  if (OF_IDS.test(name)) return hasKeysByValue(column);
  const values = valuesOf(column);
  return values.length === 0 || values.filter(isNoKey).length < values.length / 2;
}

/** No full key is so short. */
const MIN_KEY_LENGTH = 12;

/** A masked one, or a word: a column `key` may have those. */
function isNoKey(value: string): boolean {
  return value.length < MIN_KEY_LENGTH || /\s|\.\.\.|…|\*\*|••/.test(value);
}

/** A part of the values: a table may have old keys in plain text, and masked ones since. */
export const MIN_SHARE_OF_KEYS = 0.25;

/** Whether full keys or hashes are among its values. IDs look the same. */
export function hasKeysByValue(column: Pick<Column, 'sample'>): boolean {
  return hasValuesLike(column, looksLikeKey);
}

function hasValuesLike(column: Pick<Column, 'sample'>, isOne: (value: string) => boolean): boolean {
  const values = valuesOf(column);
  const keys = values.filter(value => IS_ONE_WORD.test(value) && isOne(value));
  return keys.length > 0 && keys.length >= values.length * MIN_SHARE_OF_KEYS;
}

/** No sentence, and no JSON: that has IDs in it. */
const IS_ONE_WORD = /^[^\s{["]+$/;

/** Whether its UUIDs may be the keys. To be asked of a column that isn't the ID. */
export function mayHaveUuidKeys(column: Column): boolean {
  const isOfUuids = column.kind === 'uuid' || valuesOf(column).some(value => UUID.test(value));
  return (column.isUnique && isOfUuids) || hasOwnUuids(column.sample ?? [], [column]);
}

/** Whether there are UUIDs that few rows share, of a column that isn't named as an ID: those of what keys belong to are in many. */
export function hasOwnUuids(values: readonly (string | null)[], columns: readonly Column[]): boolean {
  const uuids = values.filter(value => value !== null && UUID.test(value));
  const areShared = uuids.length < 2 || new Set(uuids).size < uuids.length / 2;
  return !areShared && !columns.every(isNamedAsId);
}

const UUID = /(?<![\da-z])[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i;

/** Different values only: a constant text isn't evidence a thousand times. */
function valuesOf({ sample }: Pick<Column, 'sample'>): string[] {
  return [...new Set(sample)].filter(value => value !== null && value !== '') as string[];
}

/** The last word of the name of what is an ID: of a key, of who made it, or of what it belongs to. */
const OF_ID =
  /^(?:id|uuid|guid|uid|kid|identifier|by|creator|author|issuer|sub|subject|owner|user|member|org|organi[sz]ation|tenant|team|account|company|customer|merchant|group|workspace|project|space|environment|env|application|app|machine|bot|reference)$/;

function isNamedAsId({ name, isInPrimaryKey }: Column): boolean {
  const last = wordsOf(name).at(-1) ?? '';
  return isInPrimaryKey || OF_ID.test(last);
}
