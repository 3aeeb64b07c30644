import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { headersOfEveryAnswer, newRequestId } from './answer.ts';
import { ApiError, renderError } from './errors.ts';
import { MAX_URL_LENGTH } from './limits.ts';
import { NOT_FOUND } from './paths.ts';

type ParserError = Error & { code?: string | undefined; rawPacket?: unknown };

/** Told of each answer that the app doesn't know of. */
export type ObserveUnparsed = (requestId: string, status: number) => void;

/** The latest response of a connection. On the socket itself, as a weak map is work for the garbage collector. */
const latest = Symbol('latestResponse');

type Connection = Duplex & { [latest]?: ServerResponse };

export const MALFORMED = new ApiError(400, 'malformed HTTP request');

/** Answers what never reaches the app in the contract's envelope, and closes the connection. */
export class UnparsableRequests {
  readonly #observe: ObserveUnparsed;

  constructor(observe: ObserveUnparsed) {
    this.#observe = observe;
  }

  /** Takes over what Node's server would answer by itself, without the envelope. */
  attendTo(server: Server): void {
    server.on('request', ({ socket }, response) => {
      (socket as Connection)[latest] = response;
    });
    // Whatever is expected, there is a final answer, and no "100 Continue" that could come before another request's.
    for (const event of ['checkContinue', 'checkExpectation'])
      server.on(event, (request, response) => server.emit('request', request, response));
    server.on('connect', (_, socket) => this.#inTurn(new ApiError(404, NOT_FOUND), socket));
  }

  /** What Node's HTTP parser gave up on. */
  answer(error: ParserError, socket: Connection): void {
    const before = socket[latest];
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else if (before && !before.req.complete) {
      // The fault is in the body of a request that has its answer, or gets it: a second would pass for the next one's.
      after(before, () => socket.end());
    } else this.#inTurn(apiErrorOf(error), socket);
  }

  /** Requests before it on the connection have their answers first: a client takes answers in the order of its requests. */
  #inTurn(apiError: ApiError, socket: Connection): void {
    const before = socket[latest];
    if (before) after(before, () => this.#answer(apiError, socket));
    else this.#answer(apiError, socket);
  }

  #answer(apiError: ApiError, socket: Duplex): void {
    if (!socket.writable) return; // the answer before it closed the connection
    const { requestId, headers, body } = lastAnswer(apiError);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${apiError.status} ${reasons[apiError.status]}\r\n${lines.join('')}\r\n${body}`);
    this.#observe(requestId, apiError.status);
  }
}

function after(response: ServerResponse, act: () => void): void {
  // Closed: written to its end. Node's `writableFinished` is true also of one that waits for others before it.
  if (response.closed) act();
  else response.once('close', act);
}

/** An error in the envelope, after which the connection is closed. */
export function lastAnswer(apiError: ApiError) {
  const requestId = newRequestId();
  const body = renderError(apiError, requestId);
  const headers = {
    ...headersOfEveryAnswer(requestId),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  return { requestId, headers, body };
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  404: 'Not Found',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
};

function apiErrorOf({ code, rawPacket }: ParserError): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError(408, 'the request did not arrive in time');
  if (code !== 'HPE_HEADER_OVERFLOW') return MALFORMED;
  // Node has one code for both. A URL too long shows where a request starts; in a later packet it's a header.
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
  const [line = ''] = packet.split('\n', 1);
  return /^[A-Z]+ /.test(line) && line.length > MAX_URL_LENGTH
    ? new ApiError(414, 'URL: too long')
    : new ApiError(431, 'headers: too large');
}
