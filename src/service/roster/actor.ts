import { containsAdminKey } from '../../shared/record/redact-admin-keys.ts';

/** Who does an operator's act, for the audit log: whatever the operator says, so it names and doesn't prove. */
export type Actor = string & { readonly kind: 'Actor' };

/** In code points, as the stores count. Enough for an e-mail address or the name of a job. */
const MAX_ACTOR_LENGTH = 128;
export const ACTOR_RULE = `must be 1 to ${MAX_ACTOR_LENGTH} printable characters, without an admin key`;

/** Controls, marks of direction, and line breaks: they would let an entry look like another. PostgreSQL refuses them too. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

export function parseActor(text: unknown): Actor | undefined {
  if (typeof text !== 'string' || text.trim() === '' || [...text].length > MAX_ACTOR_LENGTH) return undefined;
  return UNPRINTABLE.test(text) || containsAdminKey(text) ? undefined : (text as Actor);
}
