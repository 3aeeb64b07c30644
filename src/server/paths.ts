import type { IncomingMessage } from 'node:http';
import { ApiError } from './errors.ts';

export const LIST_API_KEYS_PATH = '/v1/organizations/api_keys';
export const OPENAPI_PATH = '/openapi.json';
export const HEALTH_PATH = '/healthz';
export const READINESS_PATH = '/readyz';
const PATHS: readonly string[] = [LIST_API_KEYS_PATH, OPENAPI_PATH, HEALTH_PATH, READINESS_PATH];

export const NOT_FOUND = `path: not found; API keys are listed at ${LIST_API_KEYS_PATH}`;

/**
 * Answers what no route takes: a path that there is, asked with another method, is a 405; any other path a 404.
 * Besides the service's own paths there may be the console's.
 */
export function refuseMethodOrPath({ url = '' }: IncomingMessage, consolePaths: readonly string[]): never {
  const [path = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1);
  const decoded = decodeURI(path);
  if (PATHS.includes(decoded) || consolePaths.includes(decoded)) {
    throw new ApiError(405, 'method: must be GET or HEAD', { allow: 'GET, HEAD' });
  }
  throw new ApiError(404, NOT_FOUND);
}
