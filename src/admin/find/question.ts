import { parsePartialKeyHint } from '../../shared/record/partial-key-hint.ts';
import { withoutIgnorable } from './folded.ts';
import { isKnownKey, keysInText } from './keys-in-text.ts';
import { isSurelyId, type Known } from './known.ts';
import { type Mask, maskOfHint, maskOfKey, maskText, shownMasks } from './mask.ts';

/** What is looked for. Of a full key it has the mask, and nothing else. */
export type Question =
  | {
      readonly kind: 'key';
      readonly masks: readonly Mask[];
      readonly sure: boolean;
      /** The text has more keys than are looked for. */
      readonly hasMore?: true;
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
  if (text.length <= MAX_TEXT) {
    if (isId(text, known)) return { kind: 'text', text };
    const hint = hintIn(text);
    if (parsePartialKeyHint(hint)) return { kind: 'hint', text, mask: maskOfHint(hint) };
    if (isStartOfHint(text, known)) return { kind: 'text', text };
  }
  const question = keysQuestion(text, known);
  if (question.masks.length > 0) return question;
  const hint = hintIn(text);
  const mask = maskOfHint(hint);
  const isHint = hint.includes('...') && !/\s/.test(hint) && mask.start.length + mask.end.length > 1;
  return isHint ? { kind: 'hint', text, mask } : { kind: 'text', text: text.slice(0, MAX_TEXT) };
}

function isId(text: string, known: Known): boolean {
  const forms = [known.ids, ...known.ownerForms];
  return known.owners.has(text) || forms.some(form => isSurelyId(text, form, known));
}

/** Each mask once. */
function keysQuestion(text: string, known: Known): KeyQuestion {
  const labels = [...known.keyLabels, known.ids.label];
  const masks = new Map<string, Mask>();
  let sure = true;
  let words = 0;
  for (const { key, isPart, isJoined } of keysInText(text, known)) {
    const isId = isSurelyId(key, known.ids, known);
    const mask = maskOfKey(key, labels);
    const asText = isId ? key : `${maskText(mask)} ${mask.length}`;
    if (masks.has(asText)) continue;
    if (!isJoined) words += 1;
    if (words > MAX_KEYS) break;
    masks.set(asText, {
      ...mask,
      ...(isId && { id: key }),
      ...((isPart || isJoined) && !isId && { isHidden: true }),
    });
    if (!isJoined) sure &&= isKnownKey(key, known);
  }
  return { kind: 'key', masks: [...masks.values()], sure, ...(words > MAX_KEYS && { hasMore: true }) };
}

/** The text as a hint is written: with three dots, and without quotes around it. */
function hintIn(text: string): string {
  const plain = text.replace(/^["'`]+|["'`,;]+$/g, '');
  return parsePartialKeyHint(plain) ?? plain.replace(/…|•{2,}|\*{2,}|\.{2,}/, '...');
}

/** Whether the roster shows this as the begin of a key: it is no secret then, however long it is. */
function isStartOfHint(text: string, { hintStarts }: Known): boolean {
  return hintStarts.some(start => start.startsWith(text));
}

/** The question in words. */
export function questionText(question: Question): string {
  return question.kind === 'key' ? shownMasks(question.masks).map(maskText).join(', ') : question.text;
}
