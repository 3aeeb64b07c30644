/**
 * What runs the statements of an issuer: a connection of ours, or one of the caller's, on which a transaction has begun. That
 * may be any driver's. Drivers differ in how they write and read arrays, bytes, times and large numbers, and some lose
 * microseconds. So in these statements each parameter is text, as `$1::text::timestamptz`, and so is each column of a result,
 * which has a name of one word, as some libraries rename the others.
 *
 * The search path is the caller's, and stays. So each function has its schema, and each operator has one type on both sides, for which
 * PostgreSQL has it: of another schema's it prefers those whose types fit better (`SEARCH_PATH`).
 */
export interface Statements {
  query(text: string, values?: Value[]): Promise<{ readonly rows: readonly Row[] }>;
}

export type Value = string | null;

// biome-ignore lint/suspicious/noExplicitAny: every driver has a type of its own for a row
export type Row = any;

/**
 * IDs, which have no space, for `string_to_array($1::text, ' ')`. Unlike a cast, PostgreSQL evaluates that when it plans. So where it
 * compares each row with the list (`= ANY`), it looks into a hash, and doesn't search the list.
 */
export function idList(ids: Iterable<string>): string {
  return [...ids].join(' ');
}
