import { ApiError } from '../api/errors.ts';
import type { IncomingRequest } from './messages.ts';

/** RFC 9112, section 3.2: a request without exactly one Host is malformed. HTTP/2 has another header for it. */
export function requireOneHost({ rawHeaders, httpVersion, headers }: IncomingRequest): void {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (isHost(rawHeaders[i])) hosts += 1;
  if (hosts > 1) throw new ApiError(400, 'host: header given more than once');
  if (hosts === 0 && headers.host === undefined && httpVersion === '1.1')
    throw new ApiError(400, 'host: header is required');
}

function isHost(name = ''): boolean {
  return name.length === 4 && name.toLowerCase() === 'host';
}
