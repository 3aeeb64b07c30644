import type { Section } from '../../report/sections.ts';
import type { Fitting } from '../terminal/fitted-columns.ts';

export interface TableColumn extends Fitting {
  readonly heading: string;
}

/** How the parts of the report look where they are read: on a terminal, or in a file, a pipe or a mail. */
export interface Layout {
  section(section: Section): string;
  /** @param leftOut the columns that may be left out where it is narrow, in that order. */
  table(
    columns: readonly TableColumn[],
    batches: Iterable<readonly (readonly string[])[]>,
    leftOut: readonly number[],
  ): Iterable<string>;
}
