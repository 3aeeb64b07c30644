/** The words of a name in any spelling: `createdAt`, `created_at` and `CREATED-AT` have the same two. */
export function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).map(word => word.toLowerCase());
}

/** What tables of keys are about, so their columns may begin with it: `key_name`, `apiKeyId`. */
const SUBJECT = /^(?:(?:api_?|access_)?(?:key|token)|credential)_/;

/** The name by which a column is looked up: its words, without those of the table's subject. `last4` is `last_4`. */
export function plainName(name: string): string {
  return wordsOf(name).join('_').replace(SUBJECT, '');
}

/** What the name of a time may end with; `m` is of milliseconds. */
export const WHEN = '(?:_(?:at|on|time|timestamp|date|instant|unix|epoch|ts|s|m|ms))';

/** The columns with such a name. One without the table's subject comes first. */
export function namedLike<C extends { readonly name: string }>(columns: readonly C[], names: RegExp): C[] {
  return columns
    .filter(({ name }) => names.test(plainName(name)))
    .toSorted((a, b) => a.name.length - b.name.length);
}
