import { parseId } from '../roster/identifier.ts';
import { idLooksLikeKey } from '../roster/looks-like-key.ts';
import type { IdForm, Known } from './known.ts';

/** Whether the text is as long as one of such IDs, and like them. */
export function isSurelyId(text: string, form: IdForm, known: Known): boolean {
  return (
    form.lengths.has(text.length) &&
    isLikeId(text, form, known) &&
    !known.hintStarts.some(start => begins(text, start))
  );
}

/** Whether the text begins as all such IDs do, and as no key does, and doesn't look like a key. */
export function isLikeId(text: string, { label }: IdForm, { hintStarts }: Known): boolean {
  return (
    label !== '' &&
    parseId(text) !== undefined &&
    text.startsWith(label) &&
    !idLooksLikeKey(text) &&
    !hintStarts.some(start => begins(start, label))
  );
}

function begins(text: string, start: string): boolean {
  return text.toLowerCase().startsWith(start.toLowerCase());
}
