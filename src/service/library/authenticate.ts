import { allMembers, isObject } from '../../shared/record/fields.ts';

/** A request as your `authenticate` gets it. */
export interface RequestToAuthenticate {
  readonly method: string;
  /** The path and the query, as they were sent. */
  readonly url: string;
  readonly headers: Headers;
  /** The client's address, behind the proxies that you trust; `undefined` when nobody knows it. */
  readonly clientAddress: string | undefined;
  /** What was given to `handle` or `fetch`: an `IncomingMessage` or a `Request`, with what middleware put into it. */
  readonly original: unknown;
}

/** Who sent a request, as your `authenticate` says it. */
export interface AuthenticatedCaller {
  /** Whose API keys are listed (docs/api.md#ids). */
  readonly organizationId: string;
  /** Names the caller in the log and in the rate limit: 1 to 128 printable characters. */
  readonly callerId: string;
  /**
   * Restricts the caller to the API keys of this workspace, by this creator, or both; for them no others exist. Absent: the whole
   * organization. Anything else (`{}`, `null`, `undefined`, another member) is a 500.
   */
  readonly only?:
    | { readonly workspaceId: string; readonly creatorId?: string }
    | { readonly workspaceId?: string; readonly creatorId: string };
}

/**
 * Tells who sent a request; nothing (`null`, `undefined` or `false`) is a 401. So is what it throws, which is logged and not
 * sent; only `AuthenticationUnavailable` is a 503.
 */
export type Authenticate = (request: RequestToAuthenticate) => MaybePromise<FoundCaller>;

export type FoundCaller = AuthenticatedCaller | null | undefined | false;

type MaybePromise<T> = T | Promise<T>;

/** All members are read, as one may restrict the caller and be inherited. */
export function copyOf(caller: FoundCaller): FoundCaller {
  if (!caller) return caller;
  const copy = allMembers(Object(caller));
  if (isObject(copy.only)) copy.only = allMembers(copy.only);
  return copy as unknown as AuthenticatedCaller;
}

/** Nobody can be authenticated at the moment. The message is neither sent nor logged, as it may have the credential. */
export class AuthenticationUnavailable extends Error {
  override readonly name = 'AuthenticationUnavailable';
}

/** A caller that waits longer gets a 503. */
export const MAX_AUTHENTICATION_MS = 10_000;

/** The log has the code. */
export const unavailableBecause = (code: string) => Object.assign(new AuthenticationUnavailable(), { code });

/** How clients authenticate, as the OpenAPI document has it. */
export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: string }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'cookie'; readonly name: string };

export const SECURITY_SCHEME_RULE =
  "must be { type: 'http', scheme } or { type: 'apiKey', in: 'header' or 'cookie', name }, with an HTTP token in scheme or name";

/** RFC 9110, section 5.6.2. */
export const HTTP_TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

export function parseSecurityScheme(value: unknown): SecurityScheme | undefined {
  const { type, scheme, in: place, name } = Object(value);
  const isToken = (text: unknown): text is string => typeof text === 'string' && HTTP_TOKEN.test(text);
  if (type === 'http' && isToken(scheme)) return { type, scheme };
  if (type !== 'apiKey' || !isToken(name)) return undefined;
  return place === 'header' || place === 'cookie' ? { type, in: place, name } : undefined;
}
