import type { OrganizationId } from '../../roster/identifier.ts';
import type { KnownFields } from './known-fields.ts';

/** A named statement, which PostgreSQL parses once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs statements that read. */
export interface Reads {
  /**
   * Each row is an array of values in PostgreSQL's text format, or `null`. Throws `StoreUnavailable`, and `StoreBusy` where it would
   * take too long.
   */
  rows<Row extends unknown[]>(statement: Statement): Promise<Row[]>;
}

/** Gives what reads the pages of an organization. Throws as `Reads`. */
export interface PageReads {
  readonly fields: KnownFields;
  pages(organization: OrganizationId, limit: number): Promise<Reads>;
}
