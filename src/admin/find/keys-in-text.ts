/**
 * The words of a text that may be full keys. It rather takes too much for a key than too little: of what is taken for a key only
 * its beginning and end are looked for, and an ID or a name is found by these too.
 */
import { idLooksLikeKey, looksLikeKey } from '../../shared/record/looks-like-key.ts';
import { containsMaskedKey } from '../../shared/record/partial-key-hint.ts';
import { isUuid, type Known, labelOf } from './known.ts';
import { shownLabelOf } from './mask.ts';

export interface KeyInText {
  readonly key: string;
  /** No label tells it from the one before it: both may be of one key. */
  readonly isPart: boolean;
  /** It was put together of words, the first of which may be a key. */
  readonly isJoined: boolean;
}

/** No word that has fewer characters is taken for a key. */
const MIN_KEY = 8;
/** In characters. A longer word is no name, and not looked at more closely. */
const MAX_JUDGED = 2_000;
const WORD = /[A-Za-z0-9_.+/=~-]+/g;

/** In the order of the text. A key that is broken by blanks or line breaks has a label, and is put together. */
export function* keysInText(text: string, known: Known): Generator<KeyInText> {
  const plain = text.normalize('NFKC').replace(CONTROL, '');
  let isFirst = true;
  for (const { 0: word, index } of plain.matchAll(WORD)) {
    for (const part of partsOf(word, known)) {
      const label = labelIn(part, known);
      let isFound = isKey(part, known);
      if (isFound) yield { key: part, isPart: !isFirst && label === '', isJoined: false };
      if (isFound || label !== '') isFirst = false;
      if (label === '') continue;
      const behind = plain.slice(index + word.length).slice(0, MAX_JOINED);
      for (const key of joinedWith(part, behind, known)) {
        if (!isKey(key, known)) continue;
        yield { key, isPart: false, isJoined: isFound };
        isFound = true;
      }
    }
  }
}

/** But those that separate words. */
const CONTROL = /(?![\t\n\r])\p{Cc}/gu;

/** Of a path, a URL, an assignment or three dots. What begins as keys of this roster do within a word is one too. */
function partsOf(word: string, { keyLabels }: Known): string[] {
  const separator = /^\.*\/|\/\//.test(word) ? /\/|=(?=[^=])|\.{2,}/ : /=(?=[^=])|\.{2,}/;
  return word.split(separator).flatMap(each => {
    const part = each.replace(/\.+$/, '');
    const within = keyLabels.map(label => part.indexOf(label)).filter(at => at > 0);
    return part === '' ? [] : [part.slice(Math.min(...within, part.length) % part.length)];
  });
}

/** A shorter label may be chance. */
const MIN_LABEL = 5;

function labelIn(word: string, { keyLabels }: Known): string {
  const label = shownLabelOf(word, keyLabels);
  return label.length >= MIN_LABEL ? label : '';
}

/** Longer ones aren't put together of words. */
const MAX_JOINED = 300;

/** The word with the next one behind it, with the next two, and so on up to one with a label. */
function* joinedWith(word: string, behind: string, known: Known): Generator<string> {
  const [run = ''] = /^[A-Za-z0-9_.+/=~\s-]*/.exec(behind) ?? [];
  let joined = word;
  for (const next of run.trim().split(/\s+/)) {
    joined += next;
    if (next === '' || labelIn(next, known) !== '' || joined.length > MAX_JOINED) return;
    yield joined;
  }
}

/** Whether the word begins or looks as the keys of this roster do, so that it is no guess. */
export function isKnownKey(word: string, { hints, keyLabels }: Known): boolean {
  if (hints.some(hint => containsMaskedKey(hint, word))) return true;
  return keyLabels.some(label => word.startsWith(label) && hasRun(word.slice(label.length)));
}

function isKey(word: string, known: Known): boolean {
  if (word.length < MIN_KEY || word.length > MAX_JUDGED) return word.length > MAX_JUDGED;
  const unmasked = word.replace(/__+/g, '_').replace(/x{4,}/gi, 'x'); // in a key these are chance
  return (
    looksLikeKey(unmasked) ||
    idLooksLikeKey(word) ||
    word.includes('-admin01-') ||
    IN_GROUPS.test(word) ||
    hasLongRun(word) ||
    (isUuid(word) && !known.idsAreUuids) ||
    isKnownKey(word, known)
  );
}

/** Such as `ABCD-EFGH-1234-5678`. */
const IN_GROUPS = /^(?=.*\d)(?=.*[A-Z])[A-Z\d]{4,8}(?:-[A-Z\d]{1,8}){3,}$/;

/** Whether letters and digits alternate in a long part, or a longer one than any word stands behind a label. Digits at an end don't count. */
function hasLongRun(word: string): boolean {
  const label = labelOf(word);
  if (label !== '' && /^[A-Za-z0-9]{21}/.test(word.slice(label.length))) return true;
  const runs = word.split(SEPARATORS).filter(run => run.length >= 20);
  return runs.some(run => /[A-Za-z]/.test(run) && /\d/.test(run.replace(/\d+$/, '')));
}

/** The same where a label says already that it is a key. */
function hasRun(text: string): boolean {
  return text
    .split(SEPARATORS)
    .some(run => run.length >= MIN_KEY && /[A-Za-z]/.test(run) && /\d|[a-z][A-Z]/.test(run));
}

const SEPARATORS = /[^A-Za-z0-9]+/;
