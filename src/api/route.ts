import { ApiError } from './errors.ts';
import { LIST_API_KEYS_PATH } from './paths.ts';
import type { ApiRequest } from './request.ts';

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
