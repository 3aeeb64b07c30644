import type { IncomingMessage } from 'node:http';
import { type AdminKey, isValid } from '../roster/admin-key.ts';
import { AdminKeySecret } from '../roster/admin-key-secret.ts';
import type { Duration } from '../roster/duration.ts';
import type { AdminKeyReader } from '../roster/roster.ts';
import { timestampOfDate } from '../roster/timestamp.ts';
import type { AdminKeyHeader } from './admin-key-header.ts';
import { addressIsIn } from './client-network.ts';

/** What of a request is authenticated. */
interface Request {
  readonly raw: Pick<IncomingMessage, 'headers' | 'headersDistinct'>;
  /** The client's address. Reading it takes time, so it is read only for a key that is bound to networks. */
  readonly ip: string | undefined;
}

/** Returns the admin key of the request. Throws the same 401 for every key that is invalid, too old or from elsewhere. */
export async function authenticate(
  roster: AdminKeyReader,
  request: Request,
  header: AdminKeyHeader,
  maxAge: Duration | null,
): Promise<AdminKey> {
  const digest = AdminKeySecret.parse(header.read(request.raw))?.digest();
  const now = timestampOfDate(new Date());
  const key = digest && (await roster.findAdminKey(digest, now));
  if (!key || !isValid(key, digest, now, maxAge) || !mayComeFrom(key, request)) throw header.notValid();
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
