import { parsePartialKeyHint } from '../roster/partial-key-hint.ts';
import { isLikeId, isSurelyId } from './ids.ts';
import { isKnownKey, keysIn } from './keys-in.ts';
import type { Known, Owner } from './known.ts';
import { type Mask, maskOfHint, maskOfKey, maskText, shownMasks } from './mask.ts';
import { withoutIgnorable } from './name-parts.ts';
import { MAX_TEXT, piecesOf } from './pieces.ts';
import { shownKeysIn } from './shown-keys.ts';

/** What is looked for. Of a full key it has the mask, and nothing else. */
export type Question =
  /** It is surely an ID of this roster, so it may be sent. */
  | { readonly kind: 'id'; readonly text: string }
  /** An ID of what has keys. `sure`: a record has it; otherwise it only looks like one. */
  | { readonly kind: 'owner'; readonly owner: Owner; readonly text: string; readonly sure: boolean }
  | {
      readonly kind: 'key';
      readonly masks: readonly Mask[];
      readonly sure: boolean;
      /** The text has more keys than are looked for. */
      readonly hasMore?: true;
      /** The text is one word that begins as IDs of the roster do, and as no key of it does. */
      readonly beginsLikeId?: true;
    }
  | { readonly kind: 'hint'; readonly text: string; readonly mask: Mask }
  /** A name or a part of one, an ID, or the beginning or the end of a hint. */
  | { readonly kind: 'text'; readonly text: string };

/** A pasted file may have more keys: the first are looked for. */
export const MAX_KEYS = 1_000;

/** The IDs of creators and workspaces that records have. */
export type OwnerIds = Readonly<Record<Owner, ReadonlySet<string>>>;

const OWNERS = ['creator', 'workspace'] as const satisfies readonly Owner[];
const NO_OWNERS: OwnerIds = { creator: new Set(), workspace: new Set() };

/** `null`: the text asks for nothing. */
export function questionOf(text: string, known: Known, owners = NO_OWNERS): Question | null {
  try {
    const plain = withoutIgnorable(text).trim();
    return plain.length > MAX_TEXT ? classifyLong(plain, known) : classify(plain, known, owners);
  } finally {
    // What regular expressions remember of the last text that matched (`RegExp.$_`) is this one now, and not a key.
    /^/.test('');
  }
}

/** It is no ID, hint or name. */
function classifyLong(text: string, known: Known): Question {
  const question = keysQuestion(text, known);
  return question.masks.length > 0 ? question : { kind: 'text', text: text.slice(0, MAX_TEXT) };
}

function classify(text: string, known: Known, owners: OwnerIds): Question | null {
  if (text === '') return null;
  for (const owner of OWNERS) if (owners[owner].has(text)) return { kind: 'owner', owner, text, sure: true };
  if (isSurelyId(text, known.ids, known)) return { kind: 'id', text };
  const hint = hintIn(text);
  if (parsePartialKeyHint(hint)) return { kind: 'hint', text, mask: maskOfHint(hint) };
  if (isStartOfHint(text, known)) return { kind: 'text', text };
  const question = keysQuestion(text, known);
  if (question.masks.length > 0) {
    const owner = ownerLike(text, known);
    return owner ? { kind: 'owner', owner, text, sure: false } : question;
  }
  const mask = maskOfHint(hint);
  const isHint = hint.includes('...') && !/\s/.test(hint) && mask.start.length + mask.end.length > 1;
  return isHint ? { kind: 'hint', text, mask } : { kind: 'text', text };
}

/** Each mask once. */
function keysQuestion(text: string, known: Known): Question & { readonly kind: 'key' } {
  const labels = [...known.keyLabels, known.ids.label];
  const masks = new Map<string, Mask>();
  let sure = true;
  for (const piece of piecesOf(text)) {
    const keys = keysIn(piece, known);
    const shown = shownKeysIn(piece, keys, known);
    for (const key of new Set([...shown, ...keys])) {
      const isId = isSurelyId(key, known.ids, known);
      const mask = isId ? { ...maskOfKey(key, labels), id: key } : maskOfKey(key, labels);
      sure &&= isKnownKey(key, known);
      const asText = mask.id ?? `${maskText(mask)} ${mask.length}`;
      const earlier = masks.get(asText);
      if (!earlier || (earlier.isHidden && shown.has(key)))
        masks.set(asText, shown.has(key) || isId ? mask : { ...mask, isHidden: true });
    }
    if (masks.size > MAX_KEYS) break;
  }
  const found = [...masks.values()];
  const beginsLikeId = isLikeId(text, known.ids, known);
  return {
    kind: 'key',
    masks: found.slice(0, MAX_KEYS),
    sure,
    ...(found.length > MAX_KEYS && { hasMore: true }),
    ...(beginsLikeId && { beginsLikeId }),
  };
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

/** The question in words. */
export function questionText(question: Question): string {
  return question.kind === 'key' ? shownMasks(question.masks).map(maskText).join(', ') : question.text;
}
