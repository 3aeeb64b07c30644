import type { IncomingMessage } from 'node:http';
import { ApiError } from './errors.ts';
import { MAX_URL_LENGTH } from './limits.ts';

/** Refuses malformed requests that Node's parser accepts (docs/api.md#errors). */
export function requireWellFormed(request: IncomingMessage): void {
  requireOneHost(request);
  const { url = '', method = '', headers } = request;
  if (url.length > MAX_URL_LENGTH)
    throw new ApiError(414, `URL: must be at most ${MAX_URL_LENGTH} characters`);
  // RFC 9112, section 3.2. The router would cut the URL off here and ignore the filters after it.
  if (url.includes('#')) throw new ApiError(400, 'URL: must not have a fragment');
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (hasBody && (method === 'GET' || method === 'HEAD')) {
    // The body isn't read, so the connection can't be reused.
    throw new ApiError(400, `body: a ${method} has none`, { connection: 'close' });
  }
}

/** RFC 9112, section 3.2: a request without exactly one Host is malformed. */
function requireOneHost({ headersDistinct, httpVersion }: IncomingMessage): void {
  const hosts = headersDistinct.host?.length ?? 0;
  if (hosts > 1) throw new ApiError(400, 'host: header given more than once');
  if (hosts === 0 && httpVersion !== '1.0') throw new ApiError(400, 'host: header is required');
}
