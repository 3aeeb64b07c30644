/**
 * The words of a text that may be full keys, or what is left of one. It rather takes too much for a key than too little: of what is taken
 * for a key only its beginning and end are looked for, and an ID or a name is found by these too.
 */
import { idLooksLikeKey, labelOf, looksLikeKey } from '../../shared/record/looks-like-key.ts';
import { containsMaskedKey } from '../../shared/record/partial-key-hint.ts';
import { endOf, type Mask, maskOfKey, SHOWN, shownLabelOf } from './mask.ts';
import { isSurelyId, isUuid, type Known } from './roster-forms.ts';

/** No word that has fewer characters is taken for a key. */
const MIN_KEY = 8;
/** In characters. A longer word is no name, and not looked at more closely. */
const MAX_JUDGED = 2_000;
const WORD = /[A-Za-z0-9_.+/=~…-]+/g;
/** What a log, a scanner or a person puts in the place of what is left out. */
const OMISSION =
  /\.{3,}|\*{3,}|•{2,}|[[<][a-z _-]{0,20}(?:redact|mask|hid|filter|trunc|remov|omit|secret)[a-z _-]{0,20}[\]>]/gi;
/** Of a key of which only the middle is left out. */
const SHORT_END = /^[\w+/=~-]{1,8}$/;
/** Of a key whose begin is left out. */
const LEFT_END = /^[\w+/=~-]{3,}$/;

/** In the order of the text, which is plain. */
export function* keysInText(
  text: string,
  known: Known,
): Generator<{ readonly key: string; readonly mask: Mask }> {
  const labels = [...known.keyLabels, ...known.ids.map(({ label }) => label)];
  let isFirst = true;
  for (const [word] of text.replace(OMISSION, '…').matchAll(WORD)) {
    if (word.length < MIN_KEY && !word.includes('…')) continue;
    for (const { key, cut: given } of partsOf(word, known).flatMap(piecesOf)) {
      const label = labelIn(key, known);
      const isOnlyStart = label !== '' && known.hintStarts.some(start => start.startsWith(key));
      const cut = given ?? (isOnlyStart ? BEGIN_ALONE : undefined);
      const isBegin = label !== '' && (cut || key.length >= label.length + SHOWN.start);
      if (!isBegin && !isLeftOver(key, cut, known) && !isKey(key, known)) continue;
      const isId = known.ids.some(form => isSurelyId(key, form, known));
      // No label tells it from the one before it: both may be of one key.
      const isHidden = !isFirst && label === '' && !isId;
      const mask = { ...maskOfKey(key, labels), ...cut, ...(isId && { id: key }) };
      yield { key, mask: isHidden ? { ...mask, isHidden } : mask };
      isFirst = false;
    }
  }
}

/** Of one that is cut off: what its mask is told. */
type Cut = Partial<Mask> | undefined;

/** Whether a piece that is too short to judge stands where a key was cut off: prose has its dots behind a word. */
function isLeftOver(key: string, cut: Cut, { hintStarts }: Known): boolean {
  if (cut?.left === 'end') return cut.end !== undefined;
  return cut !== undefined && key !== '' && hintStarts.some(start => start.startsWith(key));
}

const BEGIN_ALONE: Cut = { left: 'begin', length: null };

/** What is left of a word, which may be all of it. */
function piecesOf(word: string): { readonly key: string; readonly cut?: Cut }[] {
  const texts = word.split('…');
  const [key = '', end = ''] = texts;
  if (texts.length === 1) return [{ key }];
  if (key === '' && texts.length === 2 && LEFT_END.test(end))
    return [{ key: end, cut: { left: 'end', start: '', end: endOf(end), length: null } }];
  if (key !== '' && texts.length === 2 && SHORT_END.test(end))
    return [{ key, cut: { end: endOf(end), length: null } }];
  return texts.map((key, index) => {
    const left = index === 0 ? 'begin' : index === texts.length - 1 ? 'end' : 'middle';
    return { key, cut: { left, length: null } };
  });
}

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

/** Whether the word begins or looks as the keys of this roster do, so that it is no guess. */
export function isKnownKey(word: string, { hints, hintStarts, keyLabels }: Known): boolean {
  const mayFit = hintStarts.some(start => word.includes(start)); // cheap, and no word of most texts does
  if (mayFit && hints.some(hint => containsMaskedKey(hint, word))) return true;
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
