import { parseId } from '../../roster/identifier.ts';
import { idLooksLikeKey } from '../../roster/looks-like-key.ts';
import { isKnownKey, keysIn } from './keys-in.ts';
import type { Known } from './known.ts';
import { type Mask, maskOfHint, maskOfKey, maskText } from './mask.ts';

/** What is looked for. Of a full key it has the mask, and nothing else. */
export type Question =
  /** It is surely an ID of this roster, so it may be sent. */
  | { readonly kind: 'id'; readonly text: string }
  | { readonly kind: 'key'; readonly masks: readonly Mask[]; readonly sure: boolean }
  | { readonly kind: 'hint'; readonly text: string; readonly mask: Mask }
  /** A name or a part of one, an ID, or the beginning or the end of a hint. */
  | { readonly kind: 'text'; readonly text: string };

/** A pasted file may have more keys: the first are looked for. */
const MAX_KEYS = 10;

/** In characters: ten times the longest name. What is behind is left out, so that a pasted file doesn't hold up the page. */
export const MAX_TEXT = 10_000;

/** `null`: the text asks for nothing. */
export function questionOf(text: string, known: Known): Question | null {
  try {
    return classify(text.slice(0, MAX_TEXT).trim(), known);
  } finally {
    // What regular expressions remember of the last text that matched (`RegExp.$_`) is this one now, and not a key.
    /^/.test('');
  }
}

function classify(text: string, known: Known): Question | null {
  if (text === '') return null;
  if (isSurelyId(text, known)) return { kind: 'id', text };
  const keys = keysIn(text, known).slice(0, MAX_KEYS);
  if (keys.length > 0)
    return { kind: 'key', masks: keys.map(maskOfKey), sure: keys.every(key => isKnownKey(key, known)) };
  const hint = text.replace(/…|•{2,}|\*{2,}|\.{2,}/, '...');
  const mask = maskOfHint(hint);
  const isHint = hint.includes('...') && !/\s/.test(hint) && mask.start.length + mask.end.length > 1;
  return isHint ? { kind: 'hint', text, mask } : { kind: 'text', text };
}

/**
 * Whether the text begins as all IDs of this roster do, is as long as one of them, doesn't look like a key, and begins unlike any of
 * its keys.
 */
function isSurelyId(text: string, { idLabel, idLengths, hintStarts }: Known): boolean {
  return (
    idLabel !== '' &&
    parseId(text) !== undefined &&
    text.startsWith(idLabel) &&
    idLengths.has(text.length) &&
    !idLooksLikeKey(text) &&
    !hintStarts.some(start => begins(start, idLabel) || begins(text, start))
  );
}

function begins(text: string, start: string): boolean {
  return text.toLowerCase().startsWith(start.toLowerCase());
}

/** The question in words. */
export function questionText(question: Question): string {
  return question.kind === 'key' ? question.masks.map(maskText).join(', ') : question.text;
}
