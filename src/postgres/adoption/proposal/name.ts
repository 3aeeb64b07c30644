import type { Column } from '../catalogue/catalogue.ts';
import { namedLike, plainName } from '../catalogue/column-names.ts';
import { type Choice, textSource, undecided } from './choice.ts';
import { isOfHints } from './hint.ts';

const NAMES = 'name label title display_name friendly_name nickname alias'.split(' ');
const TEXTS = 'description purpose comment note notes'.split(' ');

export function chooseName(columns: readonly Column[]): Choice {
  const texts = columns.filter(column => column.kind === 'text' && !isOfHints(column));
  const [column] = namedLike(texts, [...NAMES, ...TEXTS]);
  if (!column)
    return undecided(
      'name the column with the name that people give a key, or {"constant": ""} where it has none',
    );
  return { source: textSource(column, ''), sure: NAMES.includes(plainName(column.name)), why: 'its name' };
}
