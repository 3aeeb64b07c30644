import { type AdminKey, isValid } from '../roster/admin-key.ts';
import { AdminKeySecret } from '../roster/admin-key-secret.ts';
import type { Duration } from '../roster/duration.ts';
import type { AdminKeyReader } from '../roster/roster.ts';
import { timestampOfDate } from '../roster/timestamp.ts';
import { xApiKey, xApiKeyOrBearer } from './admin-key-header.ts';
import type { Authentication } from './authentication.ts';
import { addressIsIn } from './client-network.ts';
import { measureAdminKeys } from './measure-reads.ts';
import type { Metrics } from './metrics.ts';

export interface AdminKeyOptions {
  /** Whether the admin key may be in `Authorization: Bearer` too. */
  readonly bearer?: boolean;
  /** How long after its creation an admin key works at most; `null`: as long as it is valid. */
  readonly maxAdminKeyAge?: Duration | null;
  readonly metrics?: Metrics | undefined;
}

/** Callers are known by the admin keys of a store. Every key that is invalid, too old or from elsewhere gets the same 401. */
export function adminKeyAuthentication(
  keys: AdminKeyReader,
  { bearer = false, maxAdminKeyAge = null, metrics }: AdminKeyOptions,
): Authentication {
  const reader = metrics ? measureAdminKeys(keys, metrics) : keys;
  const header = bearer ? xApiKeyOrBearer : xApiKey;
  return {
    async authenticate(request, clientAddress) {
      const digest = AdminKeySecret.parse(header.read(request))?.digest();
      const now = timestampOfDate(new Date());
      const key = digest && (await reader.findAdminKey(digest, now));
      if (!key || !isValid(key, digest, now, maxAdminKeyAge) || !mayComeFrom(key, clientAddress))
        throw header.notValid();
      return key;
    },
    securitySchemes: header.securitySchemes,
    challenge: header.challenge,
    logField: 'admin_key_id',
    rateLimit: { name: 'admin-key', counted: 'requests with this admin key' },
  };
}

/** A cached key is the same object for many requests. */
const checks = new WeakMap<AdminKey, ReturnType<typeof addressIsIn>>();

/** Reading the address takes time, so it is read only for a key that is bound to networks. */
function mayComeFrom(key: AdminKey, clientAddress: () => string | undefined): boolean {
  if (key.networks === null) return true;
  let check = checks.get(key);
  if (!check) {
    check = addressIsIn(key.networks);
    checks.set(key, check);
  }
  return check(clientAddress());
}
