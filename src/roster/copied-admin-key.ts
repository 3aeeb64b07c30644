/** Admin keys that come from another store, with their digests: nobody needs a new secret. */
import { isDeepStrictEqual } from 'node:util';
import type { AdminKey } from './admin-key.ts';
import { Refused } from './errors.ts';

/** What was done. The others were so already. */
export interface AdminKeyCopies {
  readonly created: readonly AdminKey[];
  readonly updated: readonly AdminKey[];
}

/**
 * What copies do to a store that has these of the same IDs. Nothing that has ended begins again: a key keeps its revocation, and
 * the earlier of two ends. Throws `Refused` for another key of the same ID.
 */
export function copiesOf(copies: readonly AdminKey[], stored: ReadonlyMap<string, AdminKey>): AdminKeyCopies {
  const created = copies.filter(({ id }) => !stored.has(id));
  const updated = copies.flatMap(copy => {
    const before = stored.get(copy.id);
    const after = before && brought(before, copy);
    return after && !isSame(before, after) ? [after] : [];
  });
  return { created, updated };
}

function brought(stored: AdminKey, copy: AdminKey): AdminKey {
  const isOther =
    Buffer.compare(stored.digest, copy.digest) !== 0 || stored.organizationId !== copy.organizationId;
  if (isOther) throw new Refused(`admin key ${copy.id}: there is another one with this ID`);
  const days = [stored.lastUsedOn, copy.lastUsedOn].filter(day => day !== null);
  return {
    ...stored,
    expiresAt: earlier(stored.expiresAt, copy.expiresAt),
    revokedAt: stored.revokedAt ?? copy.revokedAt,
    replacedBy: copy.replacedBy ?? stored.replacedBy,
    lastUsedOn: days.sort().at(-1) ?? null,
  };
}

function earlier<Time extends bigint>(one: Time | null, other: Time | null): Time | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

export function isSame(one: AdminKey, other: AdminKey): boolean {
  return isDeepStrictEqual(comparable(one), comparable(other));
}

/** A digest is a `Buffer` of one store, and a plain array of bytes of the other. */
function comparable(key: AdminKey) {
  return { ...key, digest: Buffer.from(key.digest) };
}
