import { type AdminKey, isValid } from '../roster/admin-key.ts';
import { AdminKeySecret } from '../roster/admin-key-secret.ts';
import type { RosterReader } from '../roster/roster.ts';
import { timestampOfDate } from '../roster/timestamp.ts';
import { ApiError } from './errors.ts';

/**
 * Returns the admin key that the `x-api-key` header contains. Throws the same 401 for every invalid key, and for a header that
 * is sent twice, whose values Node joins with a comma.
 */
export async function authenticate(
  roster: RosterReader,
  header: string | string[] | undefined,
): Promise<AdminKey> {
  if (header === undefined) throw new ApiError(401, 'x-api-key: header is required');
  const digest = AdminKeySecret.parse(String(header))?.digest();
  const now = timestampOfDate(new Date());
  const key = digest && (await roster.findAdminKey(digest, now));
  if (!key || !isValid(key, digest, now)) throw new ApiError(401, 'x-api-key: not a valid admin key');
  return key;
}
