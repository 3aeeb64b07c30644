import { ApiError } from './errors.ts';
import { MAX_URL_LENGTH } from './limits.ts';
import type { ApiRequest } from './request.ts';

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
