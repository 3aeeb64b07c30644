import type { FieldSource } from '../../../service/postgres/vendor-table/source.ts';
import { identifier, literal } from '../../../service/postgres/vendor-table/table-name.ts';
import type { Column } from '../catalogue/catalogue.ts';

/** What is proposed for a field. */
export interface Choice {
  readonly source: ProposedSource;
  /** Whether it can be taken without a look at the table. Else a person is asked. */
  readonly sure: boolean;
  readonly why: string;
}

/** A source as it stands in the file. `todo` says what a person has to decide; the rest is a beginning then. */
export type ProposedSource = (FieldSource | { readonly todo: string }) & {
  readonly note?: string;
  readonly todo?: string;
};

export function undecided(todo: string): Choice {
  return { source: { todo }, sure: false, why: todo };
}

/** The column as text, with this one where it is NULL. Without one a NULL stays. */
export function textSource({ name, kind, isNullable }: Column, whereNull: string | null): ProposedSource {
  if (!isNullable || whereNull === null) return { column: name };
  const text = kind === 'text' ? identifier(name) : `${identifier(name)}::text`;
  const note = `where the column is NULL: ${whereNull || 'an empty text'}`;
  return { sql: `coalesce(${text}, ${literal(whereNull)})`, note };
}

/** Of the sample, the values that aren't NULL. */
export function presentValues({ sample }: Column): string[] {
  return (sample ?? []).filter(value => value !== null);
}

export function namesOf(columns: readonly Column[]): string {
  return columns.map(({ name }) => name).join(', ');
}
