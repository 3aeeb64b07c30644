import { apiKeyId, scattered } from './make-api-keys.ts';

/** More than a server answers in one measurement, so that none comes twice. */
const CURSORS = 15_000;
/** Differs from one drawing to the next, and is the same in every run. */
let salt = 100;

/** IDs of keys from all over this stretch of the roster, by depth: 0 is the newest key. */
export function drawCursors(keys: number, { from = 0, to = keys } = {}): string[] {
  salt += 1;
  return Array.from({ length: CURSORS }, (_, drawn) => {
    const depth = from + (scattered(drawn, salt) % Math.max(1, to - from));
    return apiKeyId(keys - 1 - depth);
  });
}
