import type { Known } from './known.ts';
import { shownLabelOf } from './mask.ts';

/** Longer ones aren't put together of words. */
export const MAX_JOINED = 300;

/** A shorter label may be chance. */
const MIN_LABEL = 5;
/** What no key has within, and nobody breaks it by. `=` is at its end only. */
const NEVER_WITHIN = /[^A-Za-z0-9_.+/=~\s-]+|\.{2,}|=(?=[^=\s])/;
const NAME_OF_VARIABLE = /^[ \t]*(?:export )?[A-Za-z_]\w*(?==[^=\s])/gm;

/**
 * The words of a text with nothing but blanks or line breaks between them, as they may be parts of one key. A label
 * begins another run.
 */
export function runsOf(text: string, { keyLabels }: Known): string[][] {
  const runs: string[][] = [];
  for (const piece of text.replace(NAME_OF_VARIABLE, '"').split(NEVER_WITHIN)) {
    runs.push([]);
    for (const word of piece.split(/\s+/)) {
      if (isLabelled(word, keyLabels)) runs.push([]);
      if (word !== '') runs.at(-1)?.push(word);
    }
  }
  return runs.filter(run => run.length > 0);
}

/** What a key that is broken by blanks or line breaks may be: its label and what is behind. Without a label, names would be keys. */
export function joinedWords(text: string, known: Known): string[] {
  const runs = runsOf(text, known).filter(([first = '']) => isLabelled(first, known.keyLabels));
  return runs.flatMap(run => joinedStarts(run).slice(1));
}

function isLabelled(word: string, labels: readonly string[]): boolean {
  return shownLabelOf(word, labels).length >= MIN_LABEL;
}

/** The first word, the first two, and so on. */
export function joinedStarts(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const longer = (joined.at(-1) ?? '') + word;
    if (joined.length > 0 && longer.length > MAX_JOINED) break;
    joined.push(longer);
  }
  return joined;
}
