import { timestampNow } from '../../shared/record/timestamp.ts';
import { type AdminKey, isValid } from '../roster/admin-key.ts';
import { AdminKeySecret } from '../roster/admin-key-secret.ts';
import type { AdminKeyReader } from '../roster/pages/reader.ts';
import type { Some } from '../serving-settings.ts';
import { addressIsIn } from './client-address.ts';
import { ApiError } from './errors.ts';
import type { Metrics } from './metrics.ts';
import type { ApiRequest, Authentication } from './request.ts';

export type AdminKeyOptions = Some<'bearer' | 'maxAdminKeyAge'> & { readonly metrics?: Metrics | undefined };

/** Callers are known by the admin keys of a store. Every key that is invalid, too old or from elsewhere gets the same 401. */
export function adminKeyAuthentication(
  keys: AdminKeyReader,
  { bearer = false, maxAdminKeyAge, metrics }: AdminKeyOptions,
): Authentication {
  const header = bearer ? xApiKeyOrBearer : xApiKey;
  return {
    async authenticate(request, clientAddress) {
      const digest = AdminKeySecret.parse(header.read(request))?.digest();
      const now = timestampNow();
      const findKey = digest && (() => keys.findAdminKey(digest, now));
      const key = findKey && (await (metrics?.read('find_admin_key', findKey) ?? findKey()));
      if (!key || !isValid(key, digest, now, maxAdminKeyAge ?? null) || !mayComeFrom(key, clientAddress))
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

/** Where a request has its admin key. */
interface AdminKeyHeader extends Pick<Authentication, 'securitySchemes' | 'challenge'> {
  /** The text that is sent as admin key, not yet checked. Throws a 401 where there is none, or more than one. */
  read(request: Pick<ApiRequest, 'header' | 'headerValues'>): string;
  /** The one answer for every key that isn't valid. */
  notValid(): ApiError;
}

const adminKeyScheme = { adminKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } };

/** A header that is sent twice has both values, joined with a comma, which is no admin key. */
export const xApiKey: AdminKeyHeader = {
  read(request) {
    const key = request.header('x-api-key');
    if (key === undefined) throw new ApiError(401, 'x-api-key: header is required');
    return key;
  },
  notValid: () => new ApiError(401, 'x-api-key: not a valid admin key'),
  securitySchemes: adminKeyScheme,
  challenge: null,
};

/** RFC 9110, section 15.5.2: a 401 has a challenge. RFC 6750, section 3: with a parameter. */
const CHALLENGE = 'Bearer realm="admin key"';

const refusal = (rule: string) =>
  new ApiError(401, `x-api-key, authorization: ${rule}`, { 'www-authenticate': CHALLENGE });

/** `authorization: Bearer` does as well. */
export const xApiKeyOrBearer: AdminKeyHeader = {
  read(request) {
    const key = request.header('x-api-key');
    const token = bearerToken(request.headerValues('authorization'));
    if (key === undefined && token === undefined)
      throw refusal('one of them is required, authorization with Bearer');
    if (key !== undefined && token !== undefined && key !== token)
      throw refusal('send one of them, or the same admin key in both');
    return String(key ?? token);
  },
  notValid: () => refusal('not a valid admin key'),
  securitySchemes: { ...adminKeyScheme, bearer: { type: 'http', scheme: 'bearer' } },
  challenge: CHALLENGE,
};

/** The token as in RFC 6750, section 2.1; `undefined` for another scheme, whose header is of no concern here. */
function bearerToken([value = '', ...others]: readonly string[]): string | undefined {
  if (others.length > 0) throw xApiKeyOrBearer.notValid(); // another program may have checked another one
  const [scheme = ''] = value.split(/\s/, 1);
  return scheme.toLowerCase() === 'bearer' ? value.slice(scheme.length).replace(/^ +/, '') : undefined;
}
