import { idLooksLikeKey } from '../../shared/record/looks-like-key.ts';
import { parsePartialKeyHint } from '../../shared/record/partial-key-hint.ts';
import type { Place } from './findings.ts';

/** What is kept of a key: too little to use it, enough to find it. */
export interface Mask {
  readonly start: string;
  readonly end: string;
  /** Of the whole key, in characters; `null`: unknown. */
  readonly length: number | null;
  /** Where the texts were found that it is of, such as those of a scanner. */
  readonly places?: readonly Place[];
  /** It may be a part of the same key as another one: it is looked for, and never shown. */
  readonly isHidden?: true;
  /** What is left of one that is visibly cut off. Only that may be a key's whose hint fits at this end alone. */
  readonly left?: 'begin' | 'middle' | 'end';
  /** It is surely this ID, so it is no key. */
  readonly id?: string;
}

export function maskText({ start, end }: Mask): string {
  return `${start}...${end}`;
}

export const isAdminKey = ({ start }: Mask) => start.includes('-admin01-');

/** The masks that may be shown: together no more of a key than one of them. */
export function shownMasks(masks: readonly Mask[]): readonly Mask[] {
  return masks.filter(({ isHidden }) => !isHidden);
}

/** Of the random part, as hints show. */
export const SHOWN = { start: 3, end: 4 };
const END = /[A-Za-z0-9_+/=~-]{1,4}$/;
/** Labels that anybody knows. Others may be random letters, unless the roster has them. */
const WELL_KNOWN_LABEL =
  /^(?:[a-z]{1,20}-admin\d\d-|sk-[a-z]{2,8}-(?:api|admin)\d\d-|(?:[prs]k|gh[oprsu]|glpat|xox[abeprs]|whsec)[-_](?:(?:live|test|proj)[-_])?)/;

/** What may be shown of a key's begin, however little of the rest: a label of the roster, or a well-known one. */
export function shownLabelOf(key: string, labels: readonly string[]): string {
  const known = labels.filter(label => key.startsWith(label)).toSorted((a, b) => b.length - a.length)[0];
  const wellKnown = WELL_KNOWN_LABEL.exec(key)?.[0] ?? '';
  return known !== undefined && known.length > wellKnown.length ? known : wellKnown;
}

/**
 * The mask of a full key, which shows at most a quarter of its random part at each end. Of one with a label, which may be cut off, it
 * always has the begin that hints show.
 */
export function maskOfKey(key: string, labels: readonly string[]): Mask {
  const label = shownLabelOf(key, labels);
  const quarter = Math.floor((key.length - label.length) / 4);
  const start = label === '' ? Math.min(quarter, SHOWN.start) : SHOWN.start;
  const shown = ownMask(key.slice(0, label.length + start), endOf(key, Math.min(quarter, SHOWN.end)));
  return { ...shown, length: key.length };
}

/** Of texts of its own, which don't refer to the key. */
function ownMask(start: string, end: string): Mask {
  const hint = `${start}...${end}`;
  parsePartialKeyHint(hint);
  return maskOfHint(hint);
}

export function endOf(word: string, length: number = SHOWN.end): string {
  return length === 0 ? '' : (END.exec(word)?.[0] ?? '').slice(-length);
}

/** The mask of a text with three dots in it. */
export function maskOfHint(hint: string): Mask {
  const dots = hint.lastIndexOf('...');
  return { start: hint.slice(0, dots), end: hint.slice(dots + 3), length: null };
}

/** Whether both may be of the same key, even if one shows more of it than the other. */
export function masksAgree(a: Mask, b: Mask): boolean {
  const length = a.length ?? b.length;
  const shown = Math.max(a.start.length, b.start.length) + Math.max(a.end.length, b.end.length);
  return startsAgree(a, b) && endsAgree(a.end, b.end) && (length === null || shown <= length);
}

const startsAgree = (a: Mask, b: Mask) => a.start.startsWith(b.start) || b.start.startsWith(a.start);
const endsAgree = (a: string, b: string) => a.endsWith(b) || b.endsWith(a);

/** One end alone is chance where it has fewer: three characters of a hexadecimal key have 12. */
const MIN_BITS = 18;
const tells = (random: string) => random.length * (/^[\da-f-]*$/i.test(random) ? 4 : 6) >= MIN_BITS;

/** What of a key with this hint is in a text: both ends, or one of them, of one that is cut off. */
export type Overlap = 'hint' | 'begin' | 'end';

/** `label`: what the hint begins with, before its random characters. */
export function overlapOf(mask: Mask, hint: Mask, label: string): Overlap | null {
  if (mask.id !== undefined) return null;
  const start = mask.start.length < hint.start.length ? mask.start : hint.start;
  // Fewer random characters would be of any key.
  const begins = startsAgree(mask, hint) && start.length >= label.length + SHOWN.start;
  // What is seen last of one whose end is cut off is its end by chance, unless it is all that hints show.
  const isSure = (begins && mask.left !== 'begin') || mask.end.length >= Math.min(hint.end.length, SHOWN.end);
  if (mask.start !== '' && mask.end !== '' && isSure && masksAgree(mask, hint))
    return hint.end === '' ? 'begin' : 'hint';
  if (mask.left === 'begin') return begins && tells(start.slice(label.length)) ? 'begin' : null;
  const end = mask.end.length < hint.end.length ? mask.end : hint.end;
  return mask.left === 'end' && endsAgree(mask.end, hint.end) && tells(end) ? 'end' : null;
}

/** Whether the mask may be of this whole text, an ID or a name. */
export function masksText({ start, end, length, id }: Mask, text: string): boolean {
  if (id !== undefined) return text === id;
  const fits = length === null ? text.length > start.length + end.length : text.length === length;
  return fits && text.startsWith(start) && text.endsWith(end);
}

/** In characters: the random parts of keys are at least as long. */
const MIN_RANDOM = 14;
const AWS_KEY = /^AKIA[A-Z\d]{16}$/;

/** Whether what should be an ID is a full key instead, of a well-known vendor too. An ID is sent, and so in logs and addresses. */
export function looksLikeFullKey(text: string): boolean {
  const label = shownLabelOf(text, []);
  const beginsAsKey = label !== '' && text.length - label.length >= MIN_RANDOM;
  return text.includes('-admin01-') || idLooksLikeKey(text) || AWS_KEY.test(text) || beginsAsKey;
}
