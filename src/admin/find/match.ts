import { type ListedKey, workspaceOf } from '../../client/listed-key.ts';
import { labelOf } from '../../shared/record/looks-like-key.ts';
import { folded, withoutIgnorable } from './folded.ts';
import { type Mask, maskOfHint, masksAgree, masksText, type Overlap, overlapOf } from './mask.ts';
import type { Question } from './question.ts';
import { hintOf } from './told.ts';

/** By what a key was found. `begin` and `end`: by what its hint shows there alone, of a text that is cut off. */
export type MatchKind = 'ID' | Overlap | 'name' | 'creator' | 'workspace';

interface Match {
  readonly by: MatchKind;
  /** Of several keys that are looked for, the one that fits. */
  readonly mask?: Mask | undefined;
}

export type Matcher = (key: ListedKey) => Match | null;

/** A hint by fewer characters of its beginning or end would be any hint. */
const MIN_OF_HINT = 3;
/** An ID that is shortened in the middle, as the roster shows it, has at least this many characters. */
const MIN_OF_ID = 6;

/** Tells whether a key is what the question asks for, by the best of its fields, or has one of these IDs. */
export function matcherOf(question: Question, ids: ReadonlySet<string> = new Set()): Matcher {
  const match = matcherOfQuestion(question);
  if (ids.size === 0) return match;
  return key => {
    const found = match(key);
    if (found?.by === 'ID' || found?.by === 'hint') return found;
    return ids.has(key.id) ? { by: 'ID' } : found;
  };
}

function matcherOfQuestion(question: Question): Matcher {
  if (question.kind === 'key') return matcherOfKeys(question.masks);
  const { text } = question;
  const inName = folded(text);
  const mask = question.kind === 'hint' ? question.mask : undefined;
  const hasId = mask && mask.start.length + mask.end.length >= MIN_OF_ID;
  const byHint = (hint: string) =>
    hint === '' ? null : mask ? overlapOfHints(mask, maskOfHint(hint)) : isEndOf(hint, text) ? 'hint' : null;
  const isId = (id: string | null | undefined) =>
    typeof id === 'string' && (mask ? hasId && masksText(mask, id) : id === text);
  return key => {
    const { id, name, created_by } = key;
    if (isId(id)) return { by: 'ID', mask };
    const by = byHint(hintOf(key));
    if (by) return { by, mask };
    if (folded(name).includes(inName)) return { by: 'name' };
    if (isId(created_by?.id)) return { by: 'creator' };
    if (isId(workspaceOf(key))) return { by: 'workspace' };
    return null;
  };
}

/** Of a hint that has one end alone, those are listed that show all of it. */
function overlapOfHints(mask: Mask, hint: Mask): Overlap | null {
  const { start, end, left } = mask;
  if (left === undefined) return masksAgree(mask, hint) ? 'hint' : null;
  if (hint.start.startsWith(start) && hint.end.endsWith(end)) return start === '' ? 'end' : 'begin';
  return overlapOf(mask, hint, labelOf(hint.start));
}

/** A begin has characters of the key itself: many keys begin with the same label. */
function isEndOf(hint: string, text: string): boolean {
  if (text.length < MIN_OF_HINT) return false;
  return hint.endsWith(text) || (hint.startsWith(text) && text.length > labelOf(hint).length);
}

function matcherOfKeys(masks: readonly Mask[]): Matcher {
  // Of many masks only those are compared that begin or end as the text does.
  const byEnd = Map.groupBy(masks, ({ end }) => end.at(-1));
  const byStart = Map.groupBy(masks, ({ start }) => start);
  const lengths = [...new Set(masks.map(({ start }) => start.length))];
  return key => {
    const { id, name, created_by } = key;
    const written = hintOf(key);
    const hint = maskOfHint(written);
    const label = labelOf(hint.start);
    const endsSo = byEnd.get(hint.end.at(-1)) ?? [];
    const beginSo = lengths.flatMap(length => byStart.get(hint.start.slice(0, length)) ?? []);
    const overlap = written === '' ? null : bestOf([...endsSo, ...beginSo], hint, label);
    if (overlap?.by === 'hint') return overlap;
    const texts = {
      ID: id,
      name: withoutIgnorable(name).trim(),
      creator: created_by?.id ?? '',
      workspace: workspaceOf(key) ?? '',
    } satisfies Record<Exclude<MatchKind, Overlap>, string>;
    for (const [by, text] of Object.entries(texts)) {
      const mask = byEnd.get(text.at(-1))?.find(mask => masksText(mask, text));
      if (mask) return { by: by as MatchKind, mask };
    }
    return overlap;
  };
}

/** By both ends, or else by one of them. */
function bestOf(masks: readonly Mask[], hint: Mask, label: string): Match | null {
  let guess: Match | null = null;
  for (const mask of masks) {
    const by = overlapOf(mask, hint, label);
    if (by === 'hint') return { by, mask };
    if (by) guess ??= { by, mask };
  }
  return guess;
}
