interface OpenObject {
  /** Of its members' names: `created_by.`, say. */
  readonly path: string;
  readonly names: Set<string>;
  latest: string;
}

/** What opens and closes an object, and each text, with the colon that makes it a name. */
const TOKENS = /[{}]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g;

/**
 * The members that an object of a JSON text has more than once, each with its path, once. `JSON.parse` takes the last of them and
 * tells nobody. The text must be valid JSON.
 */
export function duplicateMembers(text: string): readonly string[] {
  const duplicates = new Set<string>();
  const open: OpenObject[] = [];
  for (const [token, name = '', colon] of text.matchAll(TOKENS)) {
    const object = open.at(-1);
    if (token === '{') {
      const path = object ? `${object.path}${object.latest}.` : '';
      open.push({ path, names: new Set(), latest: '' });
    } else if (token === '}') open.pop();
    else if (object && colon) {
      object.latest = JSON.parse(name); // `"\u0069d"` is the name `id`
      if (object.names.has(object.latest)) duplicates.add(object.path + object.latest);
      object.names.add(object.latest);
    }
  }
  return [...duplicates];
}
