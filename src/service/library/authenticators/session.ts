import { createHash } from 'node:crypto';
import { ExpiringCache } from '../../expiring-cache.ts';
import { aFunction, parseOptions, required, text, wholeNumber } from '../../options.ts';
import { within } from '../../with-timeout.ts';
import {
  type Authenticate,
  copyOf,
  type FoundCaller,
  HTTP_TOKEN,
  MAX_AUTHENTICATION_MS,
  unavailableBecause,
} from '../authenticate.ts';
import { bearerToken, soleCookie, soleHeader } from './credentials.ts';

type Find = (sessionId: string) => FoundCaller | Promise<FoundCaller>;

export interface SessionOptions {
  /** The cookie with the session's ID, such as `__Host-session`. Either this or `header`. */
  readonly cookie?: string | undefined;
  /** The header with the session's ID. In `authorization` it follows `Bearer`. */
  readonly header?: string | undefined;
  /** Whose session it is; nothing when there is none. The ID is as it was sent: neither decoded nor checked. */
  readonly find: Find;
  /** For how long a session is cached, and so goes on after its end; to 60. Default: 5. */
  readonly cacheSeconds?: number | undefined;
}

const httpToken = text(given => (HTTP_TOKEN.test(given) ? given : undefined), 'must be an HTTP token');

const OPTIONS = {
  cookie: httpToken,
  header: httpToken,
  find: aFunction<Find>(),
  cacheSeconds: { ...wholeNumber(0, 60), byDefault: 5 },
};

/** Callers have a session of yours. Throws a `TypeError` that names the option and its rule. */
export function sessionAuthentication(options: SessionOptions): Authenticate {
  const { cookie, header = '', find, cacheSeconds } = parseOptions(options, OPTIONS);
  const callerOf = cached(required('find', find, OPTIONS.find), cacheSeconds * 1000);
  if ((cookie === undefined) === (header === '')) throw new TypeError('cookie, header: give one of them');
  const inHeader = header.toLowerCase() === 'authorization' ? bearerToken : soleHeader;
  return async ({ headers }) => {
    const id = cookie === undefined ? inHeader(headers, header) : soleCookie(headers, cookie);
    return id === undefined ? null : copyOf(await callerOf(id)); // what a wrapper writes into it is for its request alone
  };
}

/** Each has some hundred bytes. */
const MAX_CACHED = 10_000;

/**
 * A lookup under way is in the cache too, for requests of the same session. It holds digests, of which nobody makes a session. One
 * that isn't found is not kept, so a new one works at once, and guessed ones take no memory.
 */
function cached(find: Find, ms: number): Find {
  if (ms === 0) return find;
  const lookups = new ExpiringCache<string, Promise<FoundCaller>>({ ms, max: MAX_CACHED });
  return id => {
    const digest = createHash('sha256').update(id).digest('base64');
    const known = lookups.get(digest);
    if (known) return known;
    const since = performance.now(); // before the lookup, during which it may end
    // One that never ends would else hold up its session for as long as it is in the cache.
    const lookup = within(
      MAX_AUTHENTICATION_MS,
      async () => copyOf(await find(id)), // which may answer by the same object for another session
      () => unavailableBecause('ETIMEDOUT'),
    );
    lookups.set(digest, lookup, since);
    const forget = () => lookups.delete(digest);
    lookup.then(caller => caller || forget(), forget);
    return lookup;
  };
}
