import type { IncomingMessage } from 'node:http';
import { ApiError } from './errors.ts';

export const LIST_API_KEYS_PATH = '/v1/organizations/api_keys';
export const OPENAPI_PATH = '/openapi.json';
export const HEALTH_PATH = '/healthz';
export const READINESS_PATH = '/readyz';
const PATHS: readonly string[] = [LIST_API_KEYS_PATH, OPENAPI_PATH, HEALTH_PATH, READINESS_PATH];

export const NOT_FOUND = `path: not found; API keys are listed at ${LIST_API_KEYS_PATH}`;

/** Refuses a request that no route matches: 405 if the path has a route for another method, otherwise 404. */
export function refuseUnrouted({ url = '' }: IncomingMessage, consolePaths: readonly string[]): never {
  const [path = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1);
  const decoded = decodeURI(path);
  if (PATHS.includes(decoded) || consolePaths.includes(decoded)) {
    throw new ApiError(405, 'method: must be GET or HEAD', { allow: 'GET, HEAD' });
  }
  throw new ApiError(404, NOT_FOUND);
}
