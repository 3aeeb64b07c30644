import { parsePartialKeyHint, partialKeyHint } from '../roster/partial-key-hint.ts';
import { labelOf } from './known.ts';

/** What is kept of a key: too little to use it, enough to find it. */
export interface Mask {
  readonly start: string;
  readonly end: string;
  /** Of the whole key, in characters; `null`: unknown. */
  readonly length: number | null;
}

export function maskText({ start, end }: Mask): string {
  return `${start}...${end}`;
}

/** The mask of a full key. */
export function maskOfKey(key: string): Mask {
  const hint = hintOf(key);
  return { ...maskOfHint(hint), length: key.length };
}

/** The mask of a text with three dots in it. */
export function maskOfHint(hint: string): Mask {
  const dots = hint.lastIndexOf('...');
  return { start: hint.slice(0, dots), end: hint.slice(dots + 3), length: null };
}

/** As the writer's library makes hints. Of a key that is too short for that, at most half of its random part is shown. */
function hintOf(key: string): string {
  try {
    return partialKeyHint(key);
  } catch {
    const label = labelOf(key);
    const shown = Math.floor((key.length - label.length) / 4);
    const hint = `${key.slice(0, Math.min(label.length + Math.min(shown, 3), 32))}...${shown > 0 ? key.slice(-Math.min(shown, 4)) : ''}`;
    parsePartialKeyHint(hint); // makes a text of its own, which doesn't refer to the key
    return hint;
  }
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

/** Whether the mask may be of what the hint shows of a key's begin: that can be long enough to be taken for a full key. */
export function masksStartOf(mask: Mask, hint: Mask): boolean {
  return mask.length !== null && masksText(mask, hint.start.slice(0, mask.length));
}

/** Whether the mask may be of this whole text, an ID or a name. */
export function masksText({ start, end, length }: Mask, text: string): boolean {
  const fits = length === null ? text.length > start.length + end.length : text.length === length;
  return fits && text.startsWith(start) && text.endsWith(end);
}
