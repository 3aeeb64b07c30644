import type { ApiKeyRecord } from '../../client/client.ts';
import { labelOf } from './known.ts';
import { type Mask, maskOfHint, masksAgree, masksText } from './mask.ts';
import { folded } from './name-parts.ts';
import type { Question } from './question.ts';

/** By what a key was found. */
export type MatchKind = 'ID' | 'hint' | 'name';

export type Matcher = (key: ApiKeyRecord) => MatchKind | null;

/** A hint by fewer characters of its beginning or end would be any hint. */
const MIN_OF_HINT = 3;
/** An ID that is shortened in the middle, as the roster shows it, has at least this many characters. */
const MIN_OF_ID = 6;

/** Tells whether a key is what the question asks for, by the best of its fields. */
export function matcherOf(question: Question): Matcher {
  switch (question.kind) {
    case 'key':
      return matcherOfKeys(question.masks);
    case 'hint':
      return matcherOfHint(question.text, question.mask);
    default:
      return matcherOfText(question.text);
  }
}

function matcherOfKeys(masks: readonly Mask[]): Matcher {
  return ({ id, name, partial_key_hint }) => {
    const hint = maskOfHint(partial_key_hint);
    if (masks.some(mask => masksAgree(mask, hint))) return 'hint';
    if (masks.some(mask => masksText(mask, id))) return 'ID';
    return masks.some(mask => masksText(mask, name.trim())) ? 'name' : null;
  };
}

function matcherOfHint(text: string, mask: Mask): Matcher {
  const [hasId, inName] = [mask.start.length + mask.end.length >= MIN_OF_ID, folded(text)];
  return ({ id, name, partial_key_hint }) => {
    if (masksAgree(mask, maskOfHint(partial_key_hint))) return 'hint';
    if (hasId && masksText(mask, id)) return 'ID';
    return folded(name).includes(inName) ? 'name' : null;
  };
}

function matcherOfText(text: string): Matcher {
  const inName = folded(text);
  return ({ id, name, partial_key_hint: hint }) => {
    if (id === text) return 'ID';
    if (text.length >= MIN_OF_HINT && (hint.endsWith(text) || beginsHint(hint, text))) return 'hint';
    return folded(name).includes(inName) ? 'name' : null;
  };
}

/** With characters of the key itself: many keys begin with the same label. */
function beginsHint(hint: string, text: string): boolean {
  return hint.startsWith(text) && text.length > labelOf(hint).length;
}
