import type { ApiKeyRecord } from '../client/client.ts';
import { labelOf, type Owner } from './known.ts';
import { type Mask, maskOfHint, masksAgree, masksStartOf, masksText } from './mask.ts';
import { folded, withoutIgnorable } from './name-parts.ts';
import type { Question } from './question.ts';

/** By what a key was found. */
export type MatchKind = 'ID' | 'hint' | 'name' | Owner;

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
  const fits = (text: string) => masks.some(mask => masksText(mask, text));
  return ({ id, name, partial_key_hint, created_by, workspace_id }) => {
    const hint = maskOfHint(partial_key_hint);
    if (masks.some(mask => masksAgree(mask, hint) || masksStartOf(mask, hint))) return 'hint';
    if (fits(id)) return 'ID';
    const plain = withoutIgnorable(name).trim();
    const isName = [plain, plain.replace(/\s/g, '')].some(fits);
    return isName ? 'name' : ownerThat(fits, created_by.id, workspace_id);
  };
}

function matcherOfHint(text: string, mask: Mask): Matcher {
  const [hasId, inName] = [mask.start.length + mask.end.length >= MIN_OF_ID, folded(text)];
  const fits = (text: string) => hasId && masksText(mask, text);
  return ({ id, name, partial_key_hint, created_by, workspace_id }) => {
    if (masksAgree(mask, maskOfHint(partial_key_hint))) return 'hint';
    if (fits(id)) return 'ID';
    return folded(name).includes(inName) ? 'name' : ownerThat(fits, created_by.id, workspace_id);
  };
}

function matcherOfText(text: string): Matcher {
  const inName = folded(text);
  const fits = (id: string) => id === text;
  return ({ id, name, partial_key_hint: hint, created_by, workspace_id }) => {
    if (fits(id)) return 'ID';
    if (text.length >= MIN_OF_HINT && (hint.endsWith(text) || beginsHint(hint, text))) return 'hint';
    return folded(name).includes(inName) ? 'name' : ownerThat(fits, created_by.id, workspace_id);
  };
}

function ownerThat(fits: (id: string) => boolean, creator: string, workspace: string | null): Owner | null {
  if (fits(creator)) return 'creator';
  return workspace !== null && fits(workspace) ? 'workspace' : null;
}

/** With characters of the key itself: many keys begin with the same label. */
function beginsHint(hint: string, text: string): boolean {
  return hint.startsWith(text) && text.length > labelOf(hint).length;
}
