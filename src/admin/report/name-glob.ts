import { folded } from '../find/folded.ts';

/**
 * Tells whether a whole text is like one of the patterns: `*` stands for any text, `?` for one character, all else for itself, whatever
 * its case and width. Only the last `*` is ever tried again, so no pattern takes longer than its length times that of the text.
 */
export function nameGlob(...patterns: readonly string[]): (text: string) => boolean {
  const all = patterns.map(pattern => Array.from(folded(pattern)));
  return text => {
    const characters = Array.from(folded(text));
    return all.some(wanted => matches(wanted, characters));
  };
}

function matches(wanted: readonly string[], text: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let afterStar = 0;
  for (let place = 0; place < text.length; ) {
    if (wanted[at] === '*') {
      star = at++;
      afterStar = place;
    } else if (at < wanted.length && (wanted[at] === '?' || wanted[at] === text[place])) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      at = star + 1;
      place = ++afterStar;
    } else return false;
  }
  return wanted.slice(at).every(each => each === '*');
}
