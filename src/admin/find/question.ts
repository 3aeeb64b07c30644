import { parsePartialKeyHint } from '../../shared/record/partial-key-hint.ts';
import { type Finding, findingsIn } from './findings.ts';
import { withoutIgnorable } from './folded.ts';
import { isKnownKey, keysInText, labelIn } from './keys-in-text.ts';
import { isSurelyId, type Known } from './known.ts';
import { endOf, type Mask, maskOfHint, maskOfKey, maskText, ownMask, SHOWN, shownMasks } from './mask.ts';
import { plainText } from './plain-text.ts';

/** What is looked for. Of a full key it has the mask, and nothing else. */
export type Question =
  | {
      readonly kind: 'key';
      readonly masks: readonly Mask[];
      readonly sure: boolean;
      /** The text has more keys than are looked for. */
      readonly hasMore?: true;
      /** Places of a scanner's findings in which there is nothing to look for, as they are redacted. */
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
    return classify(withoutIgnorable(text).trim(), known);
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
  if (text.length <= MAX_TEXT) {
    if (isId(text, known)) return { kind: 'text', text };
    if (parsePartialKeyHint(hint)) return { kind: 'hint', text, mask: maskOfHint(hint) };
    if (isStartOfHint(text, known)) return { kind: 'text', text };
  }
  const question = keysQuestion([{ secret: text, place: '' }], known);
  if (question.masks.length > 0) return question;
  const mask = maskOfHint(hint);
  const isHint = hint.includes('...') && !/\s/.test(hint) && mask.start.length + mask.end.length > 1;
  return isHint ? { kind: 'hint', text, mask } : { kind: 'text', text: text.slice(0, MAX_TEXT) };
}

function isId(text: string, known: Known): boolean {
  const forms = [known.ids, ...known.ownerForms];
  return known.owners.has(text) || forms.some(form => isSurelyId(text, form, known));
}

/** Each mask once. */
function keysQuestion(findings: readonly Finding[], known: Known): KeyQuestion {
  const masks = new Map<string, Mask>();
  const unclear: string[] = [];
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
      masks.set(asText, { ...(same ?? mask), ...(places.length > 0 && { places }) });
      sure &&= isKnown;
      count += 1;
    }
    if (count === 0) unclear.push(place);
  }
  const isOfScanner = findings.some(({ place }) => place !== '');
  return {
    kind: 'key',
    masks: [...masks.values()],
    sure,
    ...(hasMore && { hasMore }),
    ...(isOfScanner && unclear.length > 0 && { unclear }),
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

/** A key of which a log or a person left out the middle. */
const HIDDEN =
  /(?<![\w.+~-])([\w.+~-]{4,35}?)(?:\.{3,}|\*{2,}|•{2,}|\[[a-z _-]+\]|<[a-z _-]+>)([\w+/=~-]{1,8})(?![\w+/=~-])/gi;

function* masksIn(text: string, known: Known): Generator<FoundMask> {
  const labels = [...known.keyLabels, known.ids.label];
  const hidden: Mask[] = [];
  const others = text.replace(HIDDEN, (whole, start, end) => {
    const label = labelIn(start, known);
    if (label === '') return whole;
    hidden.push(ownMask(start.slice(0, label.length + SHOWN.start), endOf(end)));
    return ' ';
  });
  for (const mask of hidden) yield { mask, isKnown: true };
  for (const { key, isPart, behind } of keysInText(others, known)) {
    const isId = isSurelyId(key, known.ids, known);
    const ends = isId ? [] : behind.map(word => endOf(word)).filter(end => end !== '');
    const mask = {
      ...maskOfKey(key, labels),
      ...(isId && { id: key }),
      ...(ends.length > 0 && { ends }),
      ...(isPart && !isId && ({ isHidden: true } as const)),
    };
    yield { mask, isKnown: isKnownKey(key, known) };
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

/** The question in words. */
export function questionText(question: Question): string {
  return question.kind === 'key' ? shownMasks(question.masks).map(maskText).join(', ') : question.text;
}
