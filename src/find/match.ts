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
  const matchers = Map.groupBy(masks, ({ end }) => end.at(-1) ?? '');
  return key => {
    const plain = plainName(key);
    const ends = [
      key.partial_key_hint,
      maskOfHint(key.partial_key_hint).start,
      key.id,
      plain,
      key.created_by.id,
    ];
    // Few masks of many end as any text of the record does: only these are compared. What hints show of the begin may be cut.
    const startOfHint = new Set(maskOfHint(key.partial_key_hint).start);
    const last = new Set([
      '',
      ...ends.map(text => text.at(-1) ?? ''),
      key.workspace_id?.at(-1) ?? '',
      ...startOfHint,
    ]);
    const kinds = [...last]
      .flatMap(end => matchers.get(end) ?? [])
      .map(mask => fieldOfMask(mask, key, plain));
    return BEST_FIRST.find(kind => kinds.includes(kind)) ?? null;
  };
}

const BEST_FIRST = ['hint', 'ID', 'name', 'creator', 'workspace'] as const satisfies readonly MatchKind[];

/** By which field of the record the mask finds it. */
export function fieldOfMask(mask: Mask, key: ApiKeyRecord, plain = plainName(key)): MatchKind | null {
  const hint = maskOfHint(key.partial_key_hint);
  const isHint = mask.id === undefined && (masksAgree(mask, hint) || masksStartOf(mask, hint));
  if (isHint) return 'hint';
  if (masksText(mask, key.id)) return 'ID';
  if (masksText(mask, plain) || masksText(mask, plain.replace(/\s/g, ''))) return 'name';
  return ownerThat(text => masksText(mask, text), key.created_by.id, key.workspace_id);
}

function plainName({ name }: ApiKeyRecord): string {
  return withoutIgnorable(name).trim();
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
