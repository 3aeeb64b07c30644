import type { IncomingMessage } from 'node:http';
import { ApiError } from './errors.ts';

export const LIST_API_KEYS_PATH = '/v1/organizations/api_keys';
export const OPENAPI_PATH = '/openapi.json';
const PATHS: readonly string[] = [LIST_API_KEYS_PATH, OPENAPI_PATH];

export const NOT_FOUND = `path: not found; API keys are listed at ${LIST_API_KEYS_PATH}`;

/** Answers what no route takes: a path that there is, asked with another method, is a 405; any other path a 404. */
export function refuseMethodOrPath({ url = '' }: IncomingMessage): never {
  const [path = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1);
  if (PATHS.includes(decodeURI(path))) {
    throw new ApiError(405, 'method: must be GET or HEAD', { allow: 'GET, HEAD' });
  }
  throw new ApiError(404, NOT_FOUND);
}
