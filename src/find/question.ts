import { parseId } from '../roster/identifier.ts';
import { idLooksLikeKey } from '../roster/looks-like-key.ts';
import { parsePartialKeyHint } from '../roster/partial-key-hint.ts';
import { isKnownKey, keysIn } from './keys-in.ts';
import type { IdForm, Known, Owner } from './known.ts';
import { type Mask, maskOfHint, maskOfKey, maskText, shownMasks } from './mask.ts';
import { withoutIgnorable } from './name-parts.ts';
import { shownKeysIn } from './shown-keys.ts';

/** What is looked for. Of a full key it has the mask, and nothing else. */
export type Question =
  /** It is surely an ID of this roster, so it may be sent. */
  | { readonly kind: 'id'; readonly text: string }
  /** An ID of what has keys. `sure`: a record has it; otherwise it only looks like one. */
  | { readonly kind: 'owner'; readonly owner: Owner; readonly text: string; readonly sure: boolean }
  | { readonly kind: 'key'; readonly masks: readonly Mask[]; readonly sure: boolean }
  | { readonly kind: 'hint'; readonly text: string; readonly mask: Mask }
  /** A name or a part of one, an ID, or the beginning or the end of a hint. */
  | { readonly kind: 'text'; readonly text: string };

/** A pasted file may have more keys: the first are looked for. */
const MAX_KEYS = 10;

/** In characters: ten times the longest name. What is behind is left out, so that a pasted file doesn't hold up the page. */
export const MAX_TEXT = 10_000;

/** The IDs of creators and workspaces that records have. */
export type OwnerIds = Readonly<Record<Owner, ReadonlySet<string>>>;

const OWNERS = ['creator', 'workspace'] as const satisfies readonly Owner[];
const NO_OWNERS: OwnerIds = { creator: new Set(), workspace: new Set() };

/** `null`: the text asks for nothing. */
export function questionOf(text: string, known: Known, owners = NO_OWNERS): Question | null {
  try {
    return classify(withoutIgnorable(text.slice(0, MAX_TEXT)).trim(), known, owners);
  } finally {
    // What regular expressions remember of the last text that matched (`RegExp.$_`) is this one now, and not a key.
    /^/.test('');
  }
}

function classify(text: string, known: Known, owners: OwnerIds): Question | null {
  if (text === '') return null;
  for (const owner of OWNERS) if (owners[owner].has(text)) return { kind: 'owner', owner, text, sure: true };
  if (isSurelyId(text, known.ids, known)) return { kind: 'id', text };
  const hint = hintIn(text);
  if (parsePartialKeyHint(hint)) return { kind: 'hint', text, mask: maskOfHint(hint) };
  if (isStartOfHint(text, known)) return { kind: 'text', text };
  const keys = keysIn(text, known).slice(0, MAX_KEYS);
  if (keys.length > 0) {
    const owner = ownerLike(text, known);
    if (owner) return { kind: 'owner', owner, text, sure: false };
    return {
      kind: 'key',
      masks: masksOf(keys, shownKeysIn(text, keys, known), known),
      sure: keys.every(key => isKnownKey(key, known)),
    };
  }
  const mask = maskOfHint(hint);
  const isHint = hint.includes('...') && !/\s/.test(hint) && mask.start.length + mask.end.length > 1;
  return isHint ? { kind: 'hint', text, mask } : { kind: 'text', text };
}

/** Each once. */
function masksOf(keys: readonly string[], shown: ReadonlySet<string>, known: Known): Mask[] {
  const labels = [...known.keyLabels, known.ids.label];
  const shownFirst = [...new Set([...shown, ...keys])];
  const masks = new Map<string, Mask>();
  for (const key of shownFirst) {
    const mask = maskOfKey(key, labels);
    const text = `${maskText(mask)} ${mask.length}`;
    if (!masks.has(text)) masks.set(text, shown.has(key) ? mask : { ...mask, isHidden: true });
  }
  return [...masks.values()];
}

/** Whose ID the text looks like, and surely not like a key. Asked only of what else were taken for a key: a name may look so too. */
function ownerLike(text: string, known: Known): Owner | null {
  const [owner, another] = OWNERS.filter(each =>
    known.ownerForms[each].some(form => isSurelyId(text, form, known)),
  );
  return owner && !another ? owner : null;
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

/** Whether the text begins as all such IDs do, is as long as one of them, doesn't look like a key, and begins unlike any key. */
function isSurelyId(text: string, { label, lengths }: IdForm, { hintStarts }: Known): boolean {
  return (
    label !== '' &&
    parseId(text) !== undefined &&
    text.startsWith(label) &&
    lengths.has(text.length) &&
    !idLooksLikeKey(text) &&
    !hintStarts.some(start => begins(start, label) || begins(text, start))
  );
}

function begins(text: string, start: string): boolean {
  return text.toLowerCase().startsWith(start.toLowerCase());
}

/** The question in words. */
export function questionText(question: Question): string {
  return question.kind === 'key' ? shownMasks(question.masks).map(maskText).join(', ') : question.text;
}
