import { STATUSES, type Status } from '../../../roster/api-key.ts';
import type { Column } from '../catalogue/catalogue.ts';
import { plainName, wordsOf } from '../catalogue/column-names.ts';

/** What words say of a key: as the value of a status, or as the name of a column. What is gone for good is archived. */
const WORDS = {
  active: 'active enabled valid live current usable',
  inactive:
    'inactive disabled suspended blocked banned paused locked frozen deactivated expired pending invalid',
  archived:
    'archived revoked deleted discarded removed cancelled canceled destroyed retired terminated trashed purged',
} as const satisfies Record<Status, string>;

export const STATUS_OF = new Map(
  STATUSES.flatMap(status => WORDS[status].split(' ').map(word => [word, status] as const)),
);

/** `live` tells real keys from those for tests, and what expires isn't yet expired. */
const NOT_AS_A_COLUMN = ['live', 'expired', 'pending', 'current'];

/** A column that says something of the status. */
export interface Part {
  readonly column: Column;
  /** What it says where it is true or has a time; `null`: it is a status itself. */
  readonly means: Status | null;
}

export function partOf(column: Column): Part | undefined {
  const name = plainName(column.name).replace(/^(?:is|was)_/, '');
  if (/^(?:status|state)$/.test(name)) {
    if (column.kind === 'boolean') return { column, means: 'active' };
    return isOfValues(column) ? { column, means: null } : undefined;
  }
  const word = name
    .replace(UNIT, '')
    .replace(TIME_WORD, '')
    .replace(/^(?:date|time)_/, '');
  const means = NOT_AS_A_COLUMN.includes(word) ? undefined : STATUS_OF.get(word);
  if (means === undefined || (isTime(column) && means === 'active')) return undefined;
  const canSay = ['boolean', 'integer', 'number'].includes(column.kind) || isTime(column);
  return canSay ? { column, means } : undefined;
}

/** What a number counts, at the end of a name: `deleted_at_m`. */
const UNIT = /_(?:m|s|ms|us|ns|ts|unix|epoch)$/;
const TIME_WORD = /_(?:at|on|date|time|timestamp)$/;

function isTime({ kind, name }: Column): boolean {
  const isNamed = TIME_WORD.test(plainName(name).replace(UNIT, ''));
  return ['timestamptz', 'timestamp', 'date'].includes(kind) || isNamed;
}

/** More different values than that are no statuses. */
const MAX_VALUES = 30;

function isOfValues(column: Column): boolean {
  const isKind = ['enum', 'text', 'integer'].includes(column.kind);
  return isKind && new Set(column.sample).size <= MAX_VALUES;
}

/** What tells of an end, at the beginning of a word. */
const END =
  /^(?:delet|discard|remov|revo[kc]|disabl|deactivat|archiv|suspen[ds]|terminat|cancel|block|bann|invalidat|retir|trash|purg)/;

/** A column that seems to tell of the end of a key and that no rule knows, such as `soft_deleted_at` and `delete_time`. */
export function isUnusedEnd(column: Column): boolean {
  const ends = wordsOf(column.name).filter(word => END.test(word));
  // A boolean may also tell what is allowed: `can_delete`.
  const canSay = isTime(column) || (column.kind === 'boolean' && ends.some(word => word.endsWith('ed')));
  return canSay && ends.length > 0 && partOf(column) === undefined;
}
