import type { CreationRange, Cursor } from '../../../shared/record/list-query.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';

/** A place in the one order, between keys. */
export interface Place {
  readonly createdAt: Timestamp;
  /** `''` is before the ID of every key. */
  readonly id: string;
}

/** Which part of the order a page is read from; `null`: from its end, or to its end. */
export interface PageBounds {
  /** The page has keys behind it only, in the direction of the page. */
  readonly start: Place | null;
  /** Of a page `before` a cursor all keys are older, of any other none is. */
  readonly end: Timestamp | null;
}

/**
 * One start: the narrower of cursor and range. A store that is given both reads from one of them, which may be any number of keys
 * outside of the other.
 *
 * @param position where the key of the cursor is; `null`: there is no cursor.
 */
export function pageBounds(
  direction: Cursor['direction'],
  position: Place | null,
  { from = null, before = null }: { [Name in keyof CreationRange]: Timestamp | null } = {},
): PageBounds {
  const [time, end] = direction === 'after' ? [before, from] : [from, before];
  if (time === null) return { start: position, end };
  const isNarrower =
    position && (direction === 'after' ? position.createdAt < time : position.createdAt >= time);
  return { start: isNarrower ? position : { createdAt: time, id: '' }, end };
}
