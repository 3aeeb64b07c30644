const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

interface OpenObject {
  /** Of its members' names: `created_by.`, say. */
  readonly path: string;
  readonly names: Set<string>;
  latest: string;
}

/**
 * The members that an object of a JSON text has more than once, each with its path, once. `JSON.parse` takes the last of them and
 * tells nobody. The text must be valid JSON.
 */
export function duplicateMembers(text: string): readonly string[] {
  const duplicates = new Set<string>();
  const open: OpenObject[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    const object = open.at(-1);
    if (character === OPEN) {
      const path = object ? `${object.path}${object.latest}.` : '';
      open.push({ path, names: new Set(), latest: '' });
    } else if (character === CLOSE) open.pop();
    else if (character === QUOTE) {
      const end = endOfString(text, at);
      if (object && isFollowedByColon(text, end)) {
        object.latest = unescaped(text.slice(at + 1, end));
        if (object.names.has(object.latest)) duplicates.add(object.path + object.latest);
        object.names.add(object.latest);
      }
      at = end;
    }
  }
  return [...duplicates];
}

/** The index of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

function isFollowedByColon(text: string, end: number): boolean {
  let next = end + 1;
  while (text.charCodeAt(next) <= 0x20) next += 1;
  return text.charCodeAt(next) === COLON;
}

/** `"\u0069d"` is the name `id`. */
function unescaped(name: string): string {
  return name.includes('\\') ? JSON.parse(`"${name}"`) : name;
}
