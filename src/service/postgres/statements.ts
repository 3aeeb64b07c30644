/**
 * What runs the statements of an issuer: a connection of ours, or one of the caller's, on which a transaction has begun. That
 * may be any driver's. Drivers differ in how they write and read arrays, bytes, times and large numbers, and some lose
 * microseconds. So in these statements each parameter is text, as `$1::text::timestamptz`, and so is each column of a result,
 * which has a name of one word, as some libraries rename the others.
 */
export interface Statements {
  query(text: string, values?: Value[]): Promise<{ readonly rows: readonly Row[] }>;
}

export type Value = string | null;

// biome-ignore lint/suspicious/noExplicitAny: every driver has a type of its own for a row
type Row = any;

/** IDs as the text of an array. They have no character that needs an escape. */
export function idArray(ids: Iterable<string>): string {
  return `{${Array.from(ids, id => `"${id}"`).join(',')}}`;
}
