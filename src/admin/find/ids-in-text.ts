import { parseKeyId } from '../../shared/record/identifier.ts';
import { idLooksLikeKey } from '../../shared/record/looks-like-key.ts';
import { isKnownKey } from './keys-in-text.ts';
import type { Known } from './roster-forms.ts';

/** What may stand around an ID in a log, in JSON or in prose. */
const AROUND = /[\s"'`<>()[\]{},;]+|(?<=\w)=(?=\w)/;
/** Rather chance. */
const NUMBER_OR_SHORT_WORD = /^\d*$|^\w{1,5}$/;

/** The words of a text that may be IDs of keys, whatever characters these have. None looks like a key itself. */
export function idsInText(text: string, known: Known): ReadonlySet<string> {
  const words = text.split(AROUND).map(word => word.replace(/[.:!?]+$/, ''));
  const mayBeId = (word: string) =>
    !NUMBER_OR_SHORT_WORD.test(word) &&
    parseKeyId(word) !== undefined &&
    !idLooksLikeKey(word) &&
    !isKnownKey(word, known);
  return new Set(words.filter(mayBeId));
}
