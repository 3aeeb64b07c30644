import { parseId } from '../../../roster/identifier.ts';
import type { Column } from '../catalogue/catalogue.ts';
import { namedLike } from '../catalogue/column-names.ts';
import { type Choice, presentValues } from './choice.ts';

/** What an ID can be made of. */
const ID_KINDS: readonly Column['kind'][] = ['text', 'uuid', 'integer', 'enum', 'bytes'];

export function canBeId({ kind }: Column): boolean {
  return ID_KINDS.includes(kind);
}

export function candidates(columns: readonly Column[], names: readonly string[]): Column[] {
  return namedLike(columns.filter(canBeId), names);
}

/** Whether each value of the sample breaks the rule of IDs. Bytes become hex digits. */
export function hasNoIds(column: Column): boolean {
  const values = presentValues(column);
  return column.kind !== 'bytes' && values.length > 0 && !values.some(value => parseId(value) !== undefined);
}

/** Less sure where values of the sample can't be IDs. Bytes become hex digits. */
export function checkedId(column: Column, choice: Choice): Choice {
  if (column.kind === 'bytes') return choice;
  const values = presentValues(column);
  const wrong = values.filter(value => parseId(value) === undefined).length;
  if (wrong === 0) return choice;
  return {
    ...choice,
    sure: false,
    why: `${choice.why}; ${wrong} of ${values.length} sampled values break the rule of IDs`,
  };
}
