import { parsePartialKeyHint } from '../../shared/record/partial-key-hint.ts';
import { type Finding, findingsIn, looksLikeReport } from './findings.ts';
import { withoutIgnorable } from './folded.ts';
import { isKnownKey, keysInText, labelIn } from './keys-in-text.ts';
import { isSurelyId, type Known } from './known.ts';
import { endOf, type Mask, maskOfHint, maskOfKey, maskText, shownMasks } from './mask.ts';
import { plainText, withoutTerminalCodes } from './plain-text.ts';

/** What is looked for. Of a full key it has the mask, and nothing else. */
export type Question =
  | {
      readonly kind: 'key';
      readonly masks: readonly Mask[];
      readonly sure: boolean;
      /** The text has more keys than are looked for. */
      readonly hasMore?: true;
      /** Places of a scanner's findings in which there is nothing to look for: redacted, a hash, or in a form that isn't known. */
      readonly unclear?: readonly string[];
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
  if (findings) return keysQuestion(findings, known);
  const hint = hintIn(text);
  const isOneEnd = hint.includes('...') && !/\s/.test(hint) && hint.length > '...'.length + 1;
  if (text.length <= MAX_TEXT) {
    if (isId(text, known)) return { kind: 'text', text };
    if (parsePartialKeyHint(hint)) return { kind: 'hint', text, mask: maskOfHint(hint) };
    if (isStartOfHint(text, known)) return { kind: 'text', text };
    if (isOneEnd && isStartOfHint(hint.replace(/\.{3}$/, ''), known)) return oneEndOf(text, hint);
  }
  const question = keysQuestion([{ secret: text, place: '' }], known);
  if (question.masks.length > 0 || question.unclear) return question;
  return isOneEnd ? oneEndOf(text, hint) : { kind: 'text', text: text.slice(0, MAX_TEXT) };
}

function oneEndOf(text: string, hint: string): Question {
  const mask = maskOfHint(hint);
  return { kind: 'hint', text, mask: { ...mask, left: mask.start === '' ? 'end' : 'begin' } };
}

function isId(text: string, known: Known): boolean {
  const forms = [known.ids, ...known.ownerForms];
  return known.owners.has(text) || forms.some(form => isSurelyId(text, form, known));
}

const PART_OF_REPORT = 'a part of the report';

/** Each mask once. */
function keysQuestion(findings: readonly Finding[], known: Known): KeyQuestion {
  const masks = new Map<string, Mask>();
  const unclear: string[] = [];
  const isReport = findings.some(({ place, secret }) => place !== '' || looksLikeReport(secret));
  let sure = true;
  let hasMore = false;
  for (const { secret, place: fullPlace } of findings) {
    const place = withoutKeys(fullPlace, known);
    let count = 0;
    for (const { mask, isKnown } of masksIn(plainText(secret), known)) {
      const asText = mask.id ?? `${maskText(mask)} ${mask.length}`;
      const same = masks.get(asText);
      hasMore ||= !same && masks.size === MAX_KEYS;
      if (hasMore) break;
      const places = [...new Set([...(same?.places ?? []), ...(place === '' ? [] : [place])])];
      // Beside its findings a report has hashes of commits and of keys, and names of rules.
      const isHidden = mask.isHidden || (isReport && place === '' && !isKnown);
      const first = same ?? { ...mask, ...(isHidden && { isHidden }) };
      masks.set(asText, { ...first, ...(places.length > 0 && { places }) });
      sure &&= isKnown || isHidden;
      count += 1;
    }
    const isUnclear = place === '' ? looksLikeReport(secret) : count === 0;
    if (isUnclear) unclear.push(place || PART_OF_REPORT);
  }
  return {
    kind: 'key',
    masks: [...masks.values()],
    sure,
    ...(hasMore && { hasMore }),
    ...(unclear.length > 0 && { unclear }),
  };
}

/** A path may have a key in it. */
function withoutKeys(text: string, known: Known): string {
  const keys = Array.from(keysInText(text, known), ({ key }) => key);
  return keys.reduce((rest, key) => rest.replaceAll(key, maskText(maskOfKey(key, known.keyLabels))), text);
}

interface FoundMask {
  readonly mask: Mask;
  /** Whether it begins or looks as the keys of this roster do, so that it is no guess. */
  readonly isKnown: boolean;
}

function* masksIn(text: string, known: Known): Generator<FoundMask> {
  const labels = [...known.keyLabels, known.ids.label];
  for (const { key, isPart, behind, end, left } of keysInText(text, known)) {
    const isId = isSurelyId(key, known.ids, known);
    const ends = isId ? [] : behind.map(word => endOf(word)).filter(end => end !== '');
    const mask = {
      ...maskOfKey(key, labels),
      ...(end !== undefined && { end: endOf(end), length: null }),
      ...(left !== undefined && { left, length: null }),
      ...(isId && { id: key }),
      ...(ends.length > 0 && { ends }),
      ...(isPart && !isId && ({ isHidden: true } as const)),
    };
    yield { mask, isKnown: isKnownKey(key, known) || (end !== undefined && labelIn(key, known) !== '') };
  }
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
  return question.unclear !== undefined || shownMasks(question.masks).some(({ left }) => left !== undefined);
}

/** The question in words. */
export function questionText(question: Question): string {
  if (question.kind !== 'key') return question.text;
  return shownMasks(question.masks).map(maskText).join(', ') || PART_OF_REPORT;
}
