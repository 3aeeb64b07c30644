import type { OrganizationId } from '../../../shared/record/identifier.ts';
import { SEARCH_PATH } from '../connecting/session.ts';
import type { Statements, Value } from '../statements.ts';
import type { KnownTable } from './known-table.ts';

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
  readonly table: KnownTable;
  pages(organization: OrganizationId): Reads | Promise<Reads>;
}

/** For what is read rarely, and by operators too: each row has its columns by their names. */
export function statementsOver(reads: Reads): Statements {
  return {
    async query(statement: string, values: Value[] = []) {
      const text = `SELECT row_to_json(read)::text FROM (${statement}) AS read`;
      const rows = await reads.rows<[string]>({ name: '', text, values });
      return { rows: rows.map(([row]) => JSON.parse(row)) };
    },
  };
}

/** How long one statement may take on the server. A page takes under a millisecond. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** Without a response after this long, the connection is taken to hang and is closed. */
export const RESPONSE_TIMEOUT_MS = 6_000;

/**
 * Settings of every connection that reads. The planner must not sort or scan a whole table: every page has an index that
 * returns its rows in order, and a plan that looks cheaper is based on stale statistics. So one plan is right for all values.
 * PostgreSQL would plan each page of a large roster anew, which takes longer than reading it. Citus has to: it finds the
 * shard when it plans. Where row-level security would hide rows, the statement fails: a page must not leave them out. A statement
 * that nobody waits for any more ends within a second, where PostgreSQL can notice that.
 * `deploy/postgres-roles.sql` gives them to the role too: what a connection sets reaches no worker of Citus.
 */
export const READER_ROLE_SETTINGS = {
  search_path: SEARCH_PATH,
  default_transaction_read_only: 'on',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  row_security: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  enable_incremental_sort: 'off',
  jit: 'off',
} as const satisfies Readonly<Record<string, string>>;

export const READER_SETTINGS = `
  ${Object.entries(READER_ROLE_SETTINGS)
    .map(([name, value]) => `SET ${name} = ${value};`)
    .join('\n  ')}
  SELECT set_config('plan_cache_mode', 'force_generic_plan', false)
    WHERE NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus');
  SELECT set_config('client_connection_check_interval', '1s', false) WHERE version() ~ 'linux'`;
