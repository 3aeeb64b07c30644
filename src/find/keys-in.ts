import { idLooksLikeKey, looksLikeKey } from '../roster/looks-like-key.ts';
import { containsMaskedKey } from '../roster/partial-key-hint.ts';
import { joinedWords } from './joined-words.ts';
import { isInGroups, keysOfGroups } from './key-groups.ts';
import { isUuid, type Known, labelOf } from './known.ts';

/**
 * The words of the text that may be full keys. It rather takes too much for a key than too little: of what is taken for a key only
 * its beginning and end are looked for, and an ID or a name is found by these too.
 */
export function keysIn(text: string, known: Known): string[] {
  const joined = text
    .split(/[\r\n]+/)
    .map(line => line.trim())
    .join(''); // a key that a terminal has broken
  const texts = [text, percentDecoded(text), joined].map(plain);
  const words = [...new Set([...new Set(texts)].flatMap(wordsOf))];
  const keys = words.flatMap(word => {
    if (word.length < MIN_RUN) return [];
    const parts = partsOf(word).filter(part => isKey(part, known));
    const found = parts.length === 0 && isKey(word, known) ? [word] : parts;
    return found.flatMap(key => [key, ...withinWord(key, known)]);
  });
  keys.push(...joinedWords(texts[0] ?? '', known).filter(key => isKey(key, known)));
  keys.push(...keysOfGroups(texts[0] ?? '', key => isKey(key, known)));
  if (keys.length === 0 && looksLikeKey(text))
    return words.toSorted((a, b) => b.length - a.length).slice(0, 1);
  return [...new Set(keys)];
}

/** Whether the word begins or looks as the keys of this roster do, so that it is no guess. */
export function isKnownKey(word: string, { hints, keyLabels }: Known): boolean {
  if (hints.some(hint => containsMaskedKey(hint, word))) return true;
  return keyLabels.some(label => word.startsWith(label) && hasRun(word.slice(label.length)));
}

function isKey(word: string, known: Known): boolean {
  const unmasked = word.replace(/__+/g, '_').replace(/x{4,}/gi, 'x'); // in a key these are chance
  return (
    looksLikeKey(unmasked) ||
    idLooksLikeKey(word) ||
    word.includes('-admin01-') ||
    hasLongRun(word) ||
    hasLongBody(word) ||
    isInGroups(word) ||
    (isUuid(word) && !known.idsAreUuids) ||
    isKnownKey(word, known) ||
    (known.hints.length === 0 && isKeyOfSomeRoster(word))
  );
}

/** Whether there may be a roster that has this as a key: until the roster is known, it may be this one. */
function isKeyOfSomeRoster(word: string): boolean {
  const label = labelOf(word);
  return hasRun(word.slice(label.length)) && (label !== '' || word.length >= MIN_KEY);
}

/** No word that has fewer characters is taken for a key. */
const MIN_RUN = 8;
/** A key of which a hint shows three characters of each end. */
const MIN_KEY = 14;

/** Whether letters and digits alternate in a part of this length. Digits behind words don't count: `Import2024`. */
function hasLongRun(text: string): boolean {
  const runs = text.split(SEPARATORS).filter(run => run.length >= 20);
  return runs.some(run => /[A-Za-z]/.test(run) && /\d/.test(run.replace(/\d+$/, '')));
}

/** Whether more stands behind a label than any word of a name has, be it letters of one case. */
function hasLongBody(word: string): boolean {
  const label = labelOf(word);
  return label !== '' && /^[A-Za-z0-9]{21}/.test(word.slice(label.length));
}

/** The same where a label says already that it is a key. */
function hasRun(text: string): boolean {
  return text
    .split(SEPARATORS)
    .some(run => run.length >= MIN_RUN && /[A-Za-z]/.test(run) && /\d|[a-z][A-Z]/.test(run));
}

/** But those that separate words. */
const CONTROL = /(?![\t\n\r])\p{Cc}/gu;
const SEPARATORS = /[^A-Za-z0-9]+/;

/** Splits at what no key has. Three dots are a mask; `=` is at the end of a key only. */
function wordsOf(text: string): string[] {
  return text
    .split(/[^A-Za-z0-9_.+/=~-]+|\.{2,}/)
    .flatMap(word => word.split(/=(?=[^=])/))
    .map(word => word.replace(/\.+$/, ''))
    .filter(word => word !== '');
}

/** Of a path or a URL; a `/` may also be a character of a key. */
function partsOf(word: string): string[] {
  return /^\.*\/|\/\//.test(word) ? word.split('/') : [word];
}

/** What begins as the keys of this roster do within a longer word, and the same without what follows: `prod.sk_live_….txt`. */
function withinWord(word: string, known: Known): string[] {
  const starts = known.keyLabels.map(label => word.indexOf(label)).filter(at => at >= 0);
  const labelled = word.slice(Math.min(word.length, ...starts));
  return [labelled, labelled.replace(/[./+~].*/, '')].filter(
    part => part !== word && isKnownKey(part, known),
  );
}

/** In the characters that keys have. */
export function plain(text: string): string {
  return text.normalize('NFKC').replace(CONTROL, '');
}

export function percentDecoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, encoded => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
