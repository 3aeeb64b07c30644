import { folded } from '../../find/name-parts.ts';

/** Characters of a part between two `*`; `null` is any one. */
type Part = readonly (string | null)[];

/**
 * Tells which names a pattern matches, whatever their case and width: `*` is any text, `?` any character. Its time grows with the
 * length of the name: no pattern makes it try the same place twice.
 */
export function globMatcher(pattern: string): (name: string) => boolean {
  const [first = [], ...others] = pattern.split('*').map(partOf);
  const last = others.pop();
  return name => {
    const text = Array.from(folded(name));
    if (!isAt(first, text, 0)) return false;
    if (last === undefined) return text.length === first.length;
    let at = first.length;
    for (const part of others) {
      while (at + part.length <= text.length && !isAt(part, text, at)) at += 1;
      at += part.length;
    }
    return at + last.length <= text.length && isAt(last, text, text.length - last.length);
  };
}

/** Folded around each `?`, so that no other character, such as a full-width `？`, becomes one. */
function partOf(text: string): Part {
  return text
    .split('?')
    .flatMap((each, index) => [...(index > 0 ? [null] : []), ...Array.from(folded(each))]);
}

function isAt(part: Part, text: readonly string[], at: number): boolean {
  return part.every((character, index) => {
    const found = text[at + index];
    return character === null ? found !== undefined : character === found;
  });
}
