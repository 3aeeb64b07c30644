import { ApiError } from './errors.ts';
import { MAX_URL_LENGTH } from './limits.ts';

/** Refuses what no server checks. */
export function requireWellFormedUrl(url: string): void {
  if (url.length > MAX_URL_LENGTH)
    throw new ApiError(414, `URL: must be at most ${MAX_URL_LENGTH} characters`);
  // RFC 9112, section 3.2: a program that cuts the URL off here would ignore the filters after it.
  if (url.includes('#')) throw new ApiError(400, 'URL: must not have a fragment');
}
