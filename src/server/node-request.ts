import { ApiError } from '../api/errors.ts';
import type { ApiRequest } from '../api/request.ts';
import { MAX_HEADERS } from './limits.ts';
import type { IncomingRequest } from './messages.ts';
import { requireOneHost } from './require-one-host.ts';

export class NodeRequest implements ApiRequest {
  readonly original: IncomingRequest;
  readonly method: string;
  readonly url: string;

  constructor(original: IncomingRequest) {
    this.original = original;
    this.method = original.method ?? '';
    this.url = original.url ?? '';
  }

  header(name: string): string | undefined {
    const value = this.original.headers[name];
    return value === undefined ? undefined : String(value);
  }

  /** Of some headers, such as `authorization`, Node keeps only the first in `headers`. */
  headerValues(name: string): readonly string[] {
    const { rawHeaders } = this.original;
    return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
  }

  headers(): Headers {
    const headers = new Headers();
    const { rawHeaders } = this.original;
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      const name = String(rawHeaders[i]);
      if (!name.startsWith(':')) headers.append(name, String(rawHeaders[i + 1])); // HTTP/2 has `:path` and others
    }
    return headers;
  }

  /** A Unix socket has no address. Whoever uses it is on this machine. After a reset a connection has none either. */
  get peerAddress(): string | undefined {
    const { remoteAddress, server } = this.original.socket;
    return remoteAddress ?? (typeof server?.address?.() === 'string' ? '127.0.0.1' : undefined);
  }

  get connection(): object {
    return this.original.socket;
  }

  get clientHasLeft(): boolean {
    return this.original.socket.destroyed === true;
  }

  get hasBodyOfUnknownLength(): boolean {
    return this.original.stream?.endAfterHeaders === false;
  }

  /** Node before 26 drops the headers beyond its limit, such as the one that a proxy has added. */
  requireWellFormed(): void {
    const { rawHeaders, socket } = this.original;
    const maxHeaders = socket.server?.maxHeadersCount || MAX_HEADERS;
    if (rawHeaders.length >= 2 * maxHeaders)
      throw new ApiError(431, `headers: must be fewer than ${maxHeaders}`);
    requireOneHost(this.original);
  }
}
