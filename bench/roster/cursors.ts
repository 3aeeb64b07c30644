import { apiKeyId, hash32 } from './make-api-keys.ts';

/** More than a server answers in one measurement, so that none is repeated. */
const CURSORS = 15_000;
/** Each call draws other cursors, but each run draws the same ones. */
let salt = 100;

/** IDs of keys from this range of the roster, in depths: 0 is the newest key. */
export function drawCursors(keys: number, { from = 0, to = keys } = {}): string[] {
  salt += 1;
  return Array.from({ length: CURSORS }, (_, index) => {
    const depth = from + (hash32(index, salt) % Math.max(1, to - from));
    return apiKeyId(keys - 1 - depth);
  });
}
