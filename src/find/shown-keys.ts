import { joinedStarts, runsOf } from './joined-words.ts';
import { percentDecoded, plain } from './keys-in.ts';
import type { Known } from './known.ts';

/**
 * Those of the keys in a text whose masks may be shown. What stands beside another with nothing but blanks or line breaks between
 * may be of the same key, so of these one is shown.
 */
export function shownKeysIn(text: string, keys: readonly string[], known: Known): ReadonlySet<string> {
  const found = new Set(keys);
  const runs = runsOf(plain(percentDecoded(text)), known);
  const shown = runs.map(run => keyOfRun(run, found)).filter(key => key !== undefined);
  return new Set(shown.length > 0 ? shown : keys.slice(0, 1));
}

/** The whole run where it is one key in lines; else the first word, or what else begins there; else what is within a word. */
function keyOfRun(words: readonly string[], keys: ReadonlySet<string>): string | undefined {
  const starts = joinedStarts(words);
  const [first] = starts;
  const candidates = isWrapped(words) || first === undefined || !keys.has(first) ? starts.reverse() : [first];
  return candidates.find(each => keys.has(each)) ?? words.map(word => keyWithin(word, keys)).find(Boolean);
}

/** Whether all lines but the first, which may have something before it, and the last are as wide. */
function isWrapped([, ...others]: readonly string[]): boolean {
  const last = others.pop() ?? '';
  const width = others[0]?.length ?? Infinity;
  return others.length > 0 && last.length <= width && others.every(({ length }) => length === width);
}

function keyWithin(word: string, keys: ReadonlySet<string>): string | undefined {
  for (const key of keys) if (word.includes(key)) return key;
  return undefined;
}
