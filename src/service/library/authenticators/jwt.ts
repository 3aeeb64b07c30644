import type { CryptoKey, JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import { parseOwnerId } from '../../../shared/record/identifier.ts';
import { isThisMachine } from '../../../shared/this-machine.ts';
import { withJose } from '../../optional-packages.ts';
import { list, parseAllOptions, text, wholeNumber } from '../../options.ts';
import { parseActor } from '../../roster/actor.ts';
import { type Authenticate, AuthenticationUnavailable, unavailableBecause } from '../authenticate.ts';
import { bearerToken } from './credentials.ts';

export interface JwtOptions {
  /** The URL of the issuer's key set: `https`, or `http` on this machine. */
  readonly jwks: string;
  /** What `iss` has to be. */
  readonly issuer: string;
  /** What `aud` has to be, or to have in it. */
  readonly audience: string;
  /** The algorithms that your issuer signs by, such as `['RS256']`. */
  readonly algorithms: readonly string[];
  /** The claim with the ID of the organization whose API keys are listed. */
  readonly organizationClaim: string;
  /** The claim that names the caller. Default: `sub`. */
  readonly callerClaim?: string | undefined;
  /** How far the issuer's clock may be from ours, to 60. Default: 5. */
  readonly clockSkewSeconds?: number | undefined;
}

/** None by which a public key would be taken for a shared secret, and not `none`. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

const someText = text(given => given.trim() || undefined, 'must be a text that is not empty');

const OPTIONS = {
  jwks: text(keySetUrl, 'must be a URL with https (http only on this machine), and without a password'),
  issuer: someText,
  audience: someText,
  algorithms: list(
    given => (given.length > 0 && given.every(each => ALGORITHMS.includes(each)) ? given : undefined),
    `must be one or more of ${ALGORITHMS.join(', ')}`,
  ),
  organizationClaim: someText,
  callerClaim: { ...someText, byDefault: 'sub' },
  clockSkewSeconds: { ...wholeNumber(0, 60), byDefault: 5 },
};

function keySetUrl(given: string): URL | undefined {
  const url = URL.parse(given);
  if (!url || url.username || url.password) return undefined;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname));
  return isSafe ? url : undefined;
}

/**
 * Callers have a JSON Web Token in `authorization: Bearer`. Throws a `TypeError` that names the option and its rule. Without the
 * package `jose` `createKeyroster` rejects, as it waits for `ready`.
 */
export function jwtAuthentication(options: JwtOptions): Authenticate & { readonly ready: Promise<unknown> } {
  const { jwks, issuer, audience, algorithms, organizationClaim, callerClaim, clockSkewSeconds } =
    parseAllOptions(options, OPTIONS);
  const rules: JWTVerifyOptions = {
    ...{ issuer, audience, algorithms: [...algorithms], clockTolerance: clockSkewSeconds },
    requiredClaims: ['exp'],
  };
  const ready = withJose(() => import('jose')).then(jose => ({ jose, findKey: keyFinder(jose, jwks) }));
  ready.catch(() => {}); // `authenticate` rejects too, for whoever doesn't wait
  const authenticate: Authenticate = async ({ headers }) => {
    const { jose, findKey } = await ready;
    const verified = await jose.jwtVerify(bearerToken(headers) ?? '', findKey, rules).catch(error => {
      if (error instanceof AuthenticationUnavailable) throw error;
      if (error instanceof jose.errors.JWTClaimValidationFailed) throw wrongClaim(error.claim);
      return null; // what else is thrown is about the token, which anybody can have made, or which has expired
    });
    if (!verified) return null;
    const organizationId = parseOwnerId(verified.payload[organizationClaim]);
    const callerId = parseActor(verified.payload[callerClaim]);
    if (!organizationId) throw wrongClaim('organization');
    if (!callerId) throw wrongClaim('caller');
    return { organizationId, callerId };
  };
  return Object.assign(authenticate, { ready });
}

/** Of a token that the issuer has signed: the issuer or an option is wrong, which the code says in the log. */
function wrongClaim(claim: string): Error {
  return Object.assign(new Error('a claim is wrong'), { code: `ERR_JWT_CLAIM_${claim.toUpperCase()}` });
}

/** The set is fetched again after this time, so that tokens of a key that was withdrawn are refused. */
const REFRESH_MS = 10 * 60_000;
/** The same where that has failed. */
const REFRESH_AGAIN_MS = 30_000;
/** While the issuer is away, its last keys are good for as long as this. */
const MAX_AGE_MS = 60 * 60_000;
/** A set that is away isn't asked for by each request. */
const RETRY_MS = 1_000;

function keyFinder(jose: typeof import('jose'), url: URL): JWTVerifyGetKey {
  const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys } = jose.errors;
  let askedAt = Number.NEGATIVE_INFINITY;
  let refreshMs = REFRESH_MS;
  let fault = 'ERR_JWKS'; // of the last set that didn't come
  const hasAskedWithin = (ms: number) => Math.abs(Date.now() - askedAt) < ms; // a clock may be set back
  const keys = jose.createRemoteJWKSet(url, {
    timeoutDuration: 5_000,
    cooldownDuration: 30_000, // for keys that it doesn't have
    cacheMaxAge: MAX_AGE_MS,
    [jose.customFetch]: async (address, init) => {
      if (hasAskedWithin(RETRY_MS)) throw unavailableBecause(fault);
      askedAt = Date.now();
      const answer = await fetch(address, init);
      if (answer.status !== 200) throw unavailableBecause('ERR_JWKS_STATUS');
      return answer;
    },
  });
  const refresh = async () => {
    refreshMs = REFRESH_AGAIN_MS;
    await keys.reload();
    refreshMs = REFRESH_MS;
  };
  return async (header, token): Promise<CryptoKey> => {
    try {
      // Without success the keys stay. Where they are too old, the next line fetches them.
      if (keys.fresh && !hasAskedWithin(refreshMs)) await refresh().catch(() => {});
      return await keys(header, token);
    } catch (error) {
      // These say that the set doesn't have the token's key, and all others that there is no set.
      if (error instanceof JWKSNoMatchingKey || error instanceof JWKSMultipleMatchingKeys) throw error;
      refreshMs = REFRESH_AGAIN_MS; // for what it was asked: a key that it doesn't have
      fault = faultCode(error);
      throw unavailableBecause(fault);
    }
  };
}

/** What the log says of a key set that didn't come or has keys that can't be used. */
function faultCode(error: unknown): string {
  const { code, cause } = Object(error);
  const known = [Object(cause).code, code].find(each => typeof each === 'string'); // the network's is in `cause`
  return known === 'ERR_JOSE_GENERIC' ? 'ERR_JWKS_NO_JSON' : (known ?? 'ERR_JWKS');
}
