import type { OrganizationId } from '../../shared/record/identifier.ts';
import type { Scope } from '../../shared/record/list-query.ts';
import { ApiError } from './errors.ts';
import { MAX_URL_LENGTH } from './limits.ts';

/** A request, whatever server it came to. */
export interface ApiRequest {
  readonly method: string;
  /** The path and the query, as they were sent. */
  readonly url: string;
  /** The value of the header with this lower-case name. A header that was sent twice has both values, joined with a comma. */
  header(name: string): string | undefined;
  /** The values of the header one by one, as far as the server tells them apart. */
  headerValues(name: string): readonly string[];
  /** All headers, for an authentication that isn't ours. */
  headers(): Headers;
  /** The address that the connection came from: a proxy's, if there is one. `undefined` when nobody knows. */
  readonly peerAddress: string | undefined;
  /** The same object for all requests of a connection. */
  readonly connection: object;
  /** Whether a body follows of which no header tells: HTTP/2 needs none. */
  readonly hasBodyOfUnknownLength: boolean;
  /** What the server had for this request. */
  readonly original: unknown;
  /** Throws an `ApiError` when the request is malformed in a way that only the server can tell. */
  requireWellFormed(): void;
}

/** Who sent a request. */
export interface Caller {
  readonly organizationId: OrganizationId;
  /** Names the caller within the organization: in the log, and where requests are counted. */
  readonly id: string;
  /** Absent or `null`: the caller may see the whole organization. */
  readonly scope?: Scope | null | undefined;
}

/** A way to tell who sent a request: by an admin key, or by what the vendor has. */
export interface Authentication {
  /** Throws a 401, which tells nobody why, where the caller isn't known. */
  authenticate(request: ApiRequest, clientAddress: () => string | undefined): Promise<Caller>;
  /** What a request may have, one of them: by name, as the OpenAPI document has them. */
  readonly securitySchemes: Readonly<Record<string, object>>;
  /** The `www-authenticate` header of a 401; `null`: there is none. */
  readonly challenge: string | null;
  /** The name of a caller's ID in the log. */
  readonly logField: 'admin_key_id' | 'caller_id';
  /** What the rate limit counts: its name in the headers, and the words of its message. */
  readonly rateLimit: { readonly name: string; readonly counted: string };
}

export const LIST_API_KEYS_PATH = '/v1/organizations/api_keys';
export const OPENAPI_PATH = '/openapi.json';
export const HEALTH_PATH = '/healthz';
export const READINESS_PATH = '/readyz';

export function notFound(basePath = ''): ApiError {
  return new ApiError(404, `path: not found; API keys are listed at ${basePath}${LIST_API_KEYS_PATH}`);
}

/**
 * Returns the path whose route this request takes. Throws a 405 where the path has a route for other methods, otherwise a 404.
 * Below a base path (`''` or such as `/api`) nothing else is found.
 */
export function routeOf(
  { url, method }: Pick<ApiRequest, 'url' | 'method'>,
  routes: ReadonlyMap<string, unknown>,
  basePath: string,
): string {
  const path = pathOf(url);
  const route = path.startsWith(basePath) ? path.slice(basePath.length) : '';
  if (!routes.has(route)) throw notFound(basePath);
  if (method !== 'GET' && method !== 'HEAD')
    throw new ApiError(405, 'method: must be GET or HEAD', { allow: 'GET, HEAD' });
  return route;
}

/** The path alone, decoded. A client may send a whole URL (RFC 9112, section 3.2.2). */
function pathOf(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1);
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    throw new ApiError(400, 'path: malformed percent-encoding');
  }
}

/** Refuses malformed requests that servers accept (docs/api.md#errors). */
export function requireWellFormed(request: ApiRequest): void {
  request.requireWellFormed();
  const { url, method } = request;
  if (url.length > MAX_URL_LENGTH)
    throw new ApiError(414, `URL: must be at most ${MAX_URL_LENGTH} characters`);
  // RFC 9112, section 3.2: a program that cuts the URL off here would ignore the filters after it.
  if (url.includes('#')) throw new ApiError(400, 'URL: must not have a fragment');
  if ((method === 'GET' || method === 'HEAD') && hasBody(request)) {
    // The body isn't read, so the connection can't be reused.
    throw new ApiError(400, `body: a ${method} has none`, { connection: 'close' });
  }
}

function hasBody(request: ApiRequest): boolean {
  if (request.header('transfer-encoding') !== undefined) return true;
  const length = request.header('content-length');
  return length === undefined ? request.hasBodyOfUnknownLength : Number(length) > 0;
}
