import type { Column } from '../catalogue/catalogue.ts';
import type { FieldSource } from '../mapping/mapping.ts';
import { identifier, literal } from '../mapping/table-name.ts';

/** What is proposed for a field. */
export interface Choice {
  readonly source: ProposedSource;
  /** Whether it can be taken without a look at the table. */
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

/** The column as text. It may stand in an index, in which PostgreSQL takes no cast of an enum. */
export function textOf({ name, kind, labels }: Column): string {
  if (kind === 'text') return identifier(name);
  if (kind === 'bytes') return `encode(${identifier(name)}, 'hex')`;
  if (kind !== 'enum') return `${identifier(name)}::text`;
  const cases = labels.map(label => `WHEN ${literal(label)} THEN ${literal(label)}`);
  return `CASE ${identifier(name)} ${cases.join(' ')} END`;
}

/** The column, with this text where it is NULL. Without one a NULL stays. */
export function textSource(column: Column, whereNull: string | null): ProposedSource {
  if (!column.isNullable || whereNull === null)
    return column.kind === 'enum' || column.kind === 'bytes'
      ? { sql: textOf(column) }
      : { column: column.name };
  const note = `where the column is NULL: ${whereNull === '' ? 'an empty text' : whereNull}`;
  return { sql: `coalesce(${textOf(column)}, ${literal(whereNull)})`, note };
}

/** Of the sample, the values that aren't NULL. */
export function presentValues({ sample }: Column): string[] {
  return (sample ?? []).filter(value => value !== null);
}
