import { idLooksLikeKey } from '../../shared/record/looks-like-key.ts';
import { parsePartialKeyHint } from '../../shared/record/partial-key-hint.ts';

/** What is kept of a key: too little to use it, enough to find it. */
export interface Mask {
  readonly start: string;
  readonly end: string;
  /** Of the whole key, in characters; `null`: unknown. */
  readonly length: number | null;
  /** It may be a part of the same key as another one: it is looked for, and never shown. */
  readonly isHidden?: true;
  /** It is surely this ID, so it is no key. */
  readonly id?: string;
}

export function maskText({ start, end }: Mask): string {
  return `${start}...${end}`;
}

/** The masks that may be shown: together no more of a key than one of them. */
export function shownMasks(masks: readonly Mask[]): readonly Mask[] {
  return masks.filter(({ isHidden }) => !isHidden);
}

/** Of the random part, as hints show. */
const SHOWN = { start: 3, end: 4 };
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

/** The mask of a full key, which shows at most a quarter of its random part at each end. */
export function maskOfKey(key: string, labels: readonly string[]): Mask {
  const label = shownLabelOf(key, labels);
  const quarter = Math.floor((key.length - label.length) / 4);
  const end = (END.exec(key)?.[0] ?? '').slice(-Math.min(quarter, SHOWN.end) || Infinity);
  const hint = `${key.slice(0, label.length + Math.min(quarter, SHOWN.start))}...${end}`;
  parsePartialKeyHint(hint); // makes a text of its own, which doesn't refer to the key
  return { ...maskOfHint(hint), length: key.length };
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
  return (
    (a.start.startsWith(b.start) || b.start.startsWith(a.start)) &&
    (a.end.endsWith(b.end) || b.end.endsWith(a.end)) &&
    (length === null || shown <= length)
  );
}

/** Whether the mask may be of this whole text, an ID or a name. */
export function masksText({ start, end, length, id }: Mask, text: string): boolean {
  if (id !== undefined) return text === id;
  const fits = length === null ? text.length > start.length + end.length : text.length === length;
  return fits && text.startsWith(start) && text.endsWith(end);
}

/** Whether what should be an ID is a full key instead. An ID is sent, and so in logs and addresses. */
export function looksLikeFullKey(text: string): boolean {
  return text.includes('-admin01-') || idLooksLikeKey(text) || beginsAsKey(text);
}

/** In characters: the random parts of keys are at least as long. */
const MIN_RANDOM = 14;

/** Whether it begins as keys of well-known vendors do, and is as long. */
function beginsAsKey(text: string): boolean {
  const label = shownLabelOf(text, []);
  return /^AKIA[A-Z\d]{16}$/.test(text) || (label !== '' && text.length - label.length >= MIN_RANDOM);
}
