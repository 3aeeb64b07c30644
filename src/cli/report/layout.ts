import type { Section } from '../../report/sections.ts';

/** How the parts of the report look where they are read: on a terminal, or in a file, a pipe or a mail. */
export interface Layout {
  section(section: Section): string;
  table(heading: readonly string[], batches: Iterable<readonly (readonly string[])[]>): Iterable<string>;
}
