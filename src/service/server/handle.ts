import { type Answer, type Body, bodyLength, Pieces, wholeBody } from '../api/answer.ts';
import type { Api } from '../api/api.ts';
import { ApiError } from '../api/errors.ts';
import type { ApiRequest } from '../api/request.ts';
import { MAX_HEADERS } from './limits.ts';
import type { IncomingRequest, OutgoingResponse } from './messages.ts';

/**
 * Answers a request of `node:http`. Resolves when all of the answer was sent or the client has left; never rejects.
 *
 * @param ownsResponse no other code has the response: what is written was sent when `write` says so, and nobody looks at it later.
 */
export async function handle(
  api: Api,
  incoming: IncomingRequest,
  response: OutgoingResponse,
  ownsResponse = false,
): Promise<void> {
  const request = new NodeRequest(incoming);
  const answer = await api.answer(request);
  const sent = send(api, answer, incoming, response, ownsResponse);
  const read = answer.sent?.((sent && response.writableLength) || 0); // a stand-in without a socket has NaN
  await closed(incoming, response);
  read?.();
  api.answered(request, answer, sent && response.writableFinished);
}

/** Returns whether it could be sent: a client may have left, and code around this one may have answered, or broken the response. */
function send(
  api: Api,
  answer: Answer,
  { socket, httpVersion }: IncomingRequest,
  response: OutgoingResponse,
  ownsResponse: boolean,
) {
  if (response.headersSent || isClosed(response)) return false;
  const { status, headers, body } = answer;
  headers['content-length'] = String(bodyLength(body));
  if (api.isStopping()) headers.connection = 'close';
  if (httpVersion === '2.0') delete headers.connection; // it has no such header, and Node warns
  try {
    response.writeHead(status, headers);
    end(response, body, ownsResponse);
    return true;
  } catch (err) {
    api.log.error('the answer could not be sent', { request_id: answer.requestId, err });
    socket.destroy?.();
    return false;
  }
}

/** Pieces of less are joined: so they are written at once, with the headers. */
const MIN_BYTES_IN_PIECES = 16 * 1024;

function end(response: OutgoingResponse, body: Body, ownsResponse: boolean): void {
  if (body instanceof Pieces && body.length >= MIN_BYTES_IN_PIECES) {
    for (const piece of body.pieces) {
      // Until this very write is done the system reads the memory, also when the connection has ended meanwhile.
      const release = ownsResponse && piece.buffer === body.memory ? () => body.release() : undefined;
      response.write(piece, release);
    }
    response.end('');
  } else response.end(wholeBody(body));
}

function closed({ socket }: IncomingRequest, response: OutgoingResponse): Promise<void> {
  if (isClosed(response) || socket.destroyed === true) return Promise.resolve();
  return new Promise(resolve => {
    response.once('close', resolve);
    // It waits behind others on its connection. Before Node 26 it isn't closed when the connection is.
    if (response.socket) return;
    socket.setMaxListeners?.(0);
    socket.once?.('close', resolve);
    response.once('close', () => socket.off?.('close', resolve));
  });
}

function isClosed({ closed, destroyed, stream }: OutgoingResponse): boolean {
  return closed === true || destroyed === true || stream?.closed === true || stream?.destroyed === true;
}

export class NodeRequest implements ApiRequest {
  readonly original: IncomingRequest;
  readonly method: string;
  readonly url: string;
  readonly #headers: IncomingRequest['headers'];
  /** Names and values in turn, as they were sent. */
  readonly #rawHeaders: readonly string[];

  constructor(original: IncomingRequest) {
    this.original = original;
    const { rawHeaders = [], headers } = original; // a stand-in may have none
    const isBare = rawHeaders.length === 0;
    this.#headers = isBare ? withLowerCaseNames(headers) : headers;
    this.#rawHeaders = isBare ? rawHeadersOf(this.#headers) : rawHeaders;
    this.method = original.method ?? '';
    this.url = original.url ?? '';
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return value === undefined ? undefined : String(value);
  }

  /** Of some headers, such as `authorization`, Node keeps only the first in `headers`. */
  headerValues(name: string): readonly string[] {
    const rawHeaders = this.#rawHeaders;
    return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
  }

  headers(): Headers {
    const headers = new Headers();
    const rawHeaders = this.#rawHeaders;
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
    const { httpVersion, socket } = this.original;
    const maxHeaders = socket.server?.maxHeadersCount || MAX_HEADERS;
    if (this.#rawHeaders.length >= 2 * maxHeaders) throw new ApiError(431, 'headers: too large');
    const hosts = this.headerValues('host').length;
    // RFC 9112, section 3.2: a request without exactly one Host is malformed. HTTP/2 has another header for it.
    if (hosts > 1) throw new ApiError(400, 'host: header given more than once');
    if (hosts === 0 && this.#headers.host === undefined && httpVersion === '1.1')
      throw new ApiError(400, 'host: header is required');
  }
}

/** Adapters of serverless functions may fill `headers` alone, and not as Node does. */
function withLowerCaseNames(headers: IncomingRequest['headers']): IncomingRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Their texts become those that Node makes of the bytes. */
function rawHeadersOf(headers: IncomingRequest['headers']): string[] {
  return Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().flatMap(value => [name, Buffer.from(String(value)).toString('latin1')]),
  );
}
