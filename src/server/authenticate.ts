import type { IncomingMessage } from 'node:http';
import { type AdminKey, isValid } from '../roster/admin-key.ts';
import { AdminKeySecret } from '../roster/admin-key-secret.ts';
import type { Duration } from '../roster/duration.ts';
import type { RosterReader } from '../roster/roster.ts';
import { timestampOfDate } from '../roster/timestamp.ts';
import { addressIsIn } from './client-network.ts';
import { ApiError } from './errors.ts';

/** What of a request is authenticated. */
interface Request {
  readonly raw: Pick<IncomingMessage, 'headers'>;
  /** The client's address. Reading it takes time, so it is read only for a key that is bound to networks. */
  readonly ip: string | undefined;
}

/**
 * Returns the admin key that the `x-api-key` header contains. Throws the same 401 for every key that is invalid, too old or from
 * elsewhere, and for a header that is sent twice, whose values Node joins with a comma.
 */
export async function authenticate(
  roster: RosterReader,
  request: Request,
  maxAge: Duration | null,
): Promise<AdminKey> {
  const header = request.raw.headers['x-api-key'];
  if (header === undefined) throw new ApiError(401, 'x-api-key: header is required');
  const digest = AdminKeySecret.parse(String(header))?.digest();
  const now = timestampOfDate(new Date());
  const key = digest && (await roster.findAdminKey(digest, now));
  if (!key || !isValid(key, digest, now, maxAge) || !mayComeFrom(key, request))
    throw new ApiError(401, 'x-api-key: not a valid admin key');
  return key;
}

/** A cached key is the same object for many requests. */
const checks = new WeakMap<AdminKey, ReturnType<typeof addressIsIn>>();

function mayComeFrom(key: AdminKey, request: Request): boolean {
  if (key.networks === null) return true;
  let check = checks.get(key);
  if (!check) {
    check = addressIsIn(key.networks);
    checks.set(key, check);
  }
  return check(request.ip);
}
