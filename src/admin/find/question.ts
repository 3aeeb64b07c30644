import { parsePartialKeyHint } from '../../shared/record/partial-key-hint.ts';
import { type Finding, findingsIn, looksLikeReport, type Place, placeText } from './findings.ts';
import { withoutIgnorable } from './folded.ts';
import { isKnownKey, keysInText } from './keys-in-text.ts';
import { type Mask, maskOfHint, maskText, shownMasks } from './mask.ts';
import { plainText, withoutTerminalCodes } from './plain-text.ts';
import { isSurelyId, type Known } from './roster-forms.ts';

/** What is looked for. Of a full key it has the mask, and nothing else. */
export type Question =
  | {
      readonly kind: 'key';
      readonly masks: readonly Mask[];
      /** The text has more keys than are looked for. */
      readonly hasMore: boolean;
      /**
       * Places of a scanner's findings in which there is nothing to look for: redacted, a hash, or in a form that isn't known. `null`: the
       * rest of its report.
       */
      readonly unclear: readonly (Place | null)[];
    }
  | { readonly kind: 'hint'; readonly text: string; readonly mask: Mask }
  /** A name or a part of one, an ID, or the beginning or the end of a hint. */
  | { readonly kind: 'text'; readonly text: string };

export type KeyQuestion = Question & { readonly kind: 'key' };

/** A pasted file may have more keys: the first are looked for. */
export const MAX_KEYS = 1_000;
/** In characters: ten times the longest name. In a longer text only keys and IDs are looked for. */
export const MAX_TEXT = 10_000;

/** `null`: the text asks for nothing. */
export function questionOf(text: string, known: Known): Question | null {
  try {
    return classify(withoutTerminalCodes(withoutIgnorable(text)).trim(), known);
  } finally {
    // What regular expressions remember of the last text that matched (`RegExp.$_`) is this one now, and not a key.
    /^/.test('');
  }
}

function classify(text: string, known: Known): Question | null {
  if (text === '') return null;
  const findings = findingsIn(text);
  if (findings.length > 1) return keysQuestion(findings, known);
  const hint = hintIn(text);
  const isOneEnd = /^(?:\.{3}\S{2,}|\S{2,}\.{3})$/.test(hint);
  if (text.length <= MAX_TEXT) {
    if (isId(text, known)) return { kind: 'text', text };
    if (parsePartialKeyHint(hint)) return { kind: 'hint', text, mask: maskOfHint(hint) };
    if (isStartOfHint(text, known)) return { kind: 'text', text };
    if (/^\.{3}\S{2,8}$/.test(hint)) return oneEndOf(text, hint); // what is longer may be much of a key
    if (isOneEnd && isStartOfHint(hint.replace(/\.{3}$/, ''), known)) return oneEndOf(text, hint);
  }
  const question = keysQuestion(findings, known);
  if (question.masks.length > 0 || question.unclear.length > 0) return question;
  return isOneEnd ? oneEndOf(text, hint) : { kind: 'text', text: text.slice(0, MAX_TEXT) };
}

function oneEndOf(text: string, hint: string): Question {
  const mask = maskOfHint(hint);
  return { kind: 'hint', text, mask: { ...mask, left: mask.start === '' ? 'end' : 'begin' } };
}

function isId(text: string, known: Known): boolean {
  return [...known.ids, ...known.ownerForms].some(form => isSurelyId(text, form, known));
}

export const PART_OF_REPORT = 'a part of the report';

/** Each mask once. */
function keysQuestion(findings: readonly Finding[], known: Known): KeyQuestion {
  const masks = new Map<string, Mask>();
  const unclear: (Place | null)[] = [];
  const isReport = findings.length > 1 || findings.some(({ secret }) => looksLikeReport(secret));
  let hasMore = false;
  for (const { secret, place: fullPlace } of findings) {
    const place = fullPlace && placeWithoutKeys(fullPlace, known);
    let count = 0;
    for (const { key, mask } of keysInText(plainText(secret), known)) {
      const asText = mask.id ?? `${maskText(mask)} ${mask.length}`;
      const same = masks.get(asText);
      hasMore ||= !same && masks.size === MAX_KEYS;
      if (hasMore) break;
      const all = [...(same?.places ?? []), ...(place ? [place] : [])];
      const places = [...new Map(all.map(each => [placeText(each), each])).values()];
      // Beside its findings a report has hashes of commits and of keys, and names of rules.
      const isOther = isReport && !place && !isKnownKey(key, known);
      const first = same ?? { ...mask, ...(isOther && { isHidden: isOther }) };
      masks.set(asText, { ...first, ...(places.length > 0 && { places }) });
      count += 1;
    }
    const isUnclear = place ? count === 0 : looksLikeReport(secret);
    if (isUnclear) unclear.push(place);
  }
  return { kind: 'key', masks: [...masks.values()], hasMore, unclear };
}

function placeWithoutKeys({ rule, file, line }: Place, known: Known): Place {
  return { rule: withoutKeys(rule, known), file: withoutKeys(file, known), line };
}

/** A path may have a key in it. */
function withoutKeys(text: string, known: Known): string {
  const keys = [...keysInText(text, known)];
  return keys.reduce((rest, { key, mask }) => rest.replaceAll(key, maskText(mask)), text);
}

/** The text as a hint is written: with three dots, without the name of a variable before it, and without quotes around it. */
function hintIn(text: string): string {
  const plain = text.replace(/^[\w.-]+=(?=.{4})/, '').replace(/^["'`]+|["'`,;]+$/g, '');
  return parsePartialKeyHint(plain) ?? plain.replace(/…|•{2,}|\*{2,}|\.{2,}|\[[a-z _-]+\]/i, '...');
}

/** Whether the roster shows this as the begin of a key: it is no secret then, however long it is. */
function isStartOfHint(text: string, { hintStarts }: Known): boolean {
  return hintStarts.some(start => start.startsWith(text));
}

/** Whether there may be a key though none is found: what is left of it in the text is too little. */
export function mayMiss(question: Question): boolean {
  if (question.kind === 'text') return false;
  if (question.kind === 'hint') return question.mask.left !== undefined;
  return question.unclear.length > 0 || shownMasks(question.masks).some(({ left }) => left !== undefined);
}

/** The question in words. */
export function questionText(question: Question): string {
  if (question.kind !== 'key') return question.text;
  return shownMasks(question.masks).map(maskText).join(', ') || PART_OF_REPORT;
}
