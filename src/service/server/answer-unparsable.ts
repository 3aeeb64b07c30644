import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { headersOfEveryAnswer, newRequestId } from '../api/answer.ts';
import { ApiError, renderError } from '../api/errors.ts';
import { MAX_URL_LENGTH } from '../api/limits.ts';
import { notFound } from '../api/request.ts';
import { afterLatestResponse, isBodyArriving } from './request-order.ts';

type ParserError = Error & { code?: string | undefined; rawPacket?: unknown; bytesParsed?: number };

/** Called for each answer that was sent without the API. */
type ObserveUnparsed = (requestId: string, status: number) => void;

const MALFORMED = new ApiError(400, 'malformed HTTP request');

/** Answers requests that never reach the API with the error body of docs/api.md#errors, and closes the connection. */
export class UnparsableRequests {
  readonly #observe: ObserveUnparsed;

  constructor(observe: ObserveUnparsed) {
    this.#observe = observe;
  }

  /** Replaces the answers that Node's server would send without our error body. */
  attach(server: Server): void {
    server.on('clientError', (error, socket) => this.answer(error, socket));
    // Any `Expect` header gets the final answer at once: a "100 Continue" could be sent before the answer to an earlier request.
    for (const event of ['checkContinue', 'checkExpectation'])
      server.on(event, (request, response) => server.emit('request', request, response));
    server.on('connect', (_, socket) => {
      // Node has removed its own listeners. An error without one would end the process.
      socket.on('error', () => {}).on('timeout', () => socket.destroy());
      this.#inTurn(notFound(), socket);
    });
  }

  /** Answers a request that was parsed, and whose version of HTTP isn't one of ours. */
  refuse(response: ServerResponse): void {
    const { requestId, headers, body } = closingAnswer(MALFORMED);
    response.writeHead(MALFORMED.status, headers).end(body);
    this.#observe(requestId, MALFORMED.status);
  }

  /** Answers a request that Node's HTTP parser refused. */
  answer(error: ParserError, socket: Duplex): void {
    if (isOfConnection(error) || !socket.writable) socket.destroy();
    else if (isBodyArriving(socket)) {
      // The error is in the body of a request that is answered anyway: the client would take a second answer for the next one's.
      afterLatestResponse(socket, () => socket.end());
    } else {
      const start = startOfRequest(error);
      this.#inTurn(apiErrorOf(error, start), socket, start.startsWith('HEAD '));
    }
  }

  /** Waits for the answers to earlier requests of the connection: a client expects answers in the order of its requests. */
  #inTurn(apiError: ApiError, socket: Duplex, isHead = false): void {
    afterLatestResponse(socket, () => this.#answer(apiError, socket, isHead));
  }

  #answer(apiError: ApiError, socket: Duplex, isHead: boolean): void {
    if (!socket.writable) return; // the previous answer closed the connection
    const { requestId, headers, body } = closingAnswer(apiError);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(
      `HTTP/1.1 ${apiError.status} ${reasonPhrases[apiError.status]}\r\n${lines.join('')}\r\n${isHead ? '' : body}`,
    );
    this.#observe(requestId, apiError.status);
  }
}

/** The connection has failed, or its TLS, and not a request. */
function isOfConnection({ code = '' }: ParserError): boolean {
  return code === 'ECONNRESET' || code.startsWith('ERR_SSL_');
}

/** The headers and body of an error after which the connection is closed. */
function closingAnswer(apiError: ApiError) {
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

const reasonPhrases: Record<number, string> = {
  400: 'Bad Request',
  404: 'Not Found',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
};

/**
 * The packet from where the refused request begins: after the last blank line. All of the packet if the request began in an
 * earlier one.
 */
function startOfRequest({ rawPacket, bytesParsed = 0 }: ParserError): string {
  if (!Buffer.isBuffer(rawPacket)) return '';
  const blankLine = rawPacket.subarray(0, bytesParsed).lastIndexOf('\r\n\r\n');
  return rawPacket.toString('latin1', blankLine < 0 ? 0 : blankLine + 4);
}

function apiErrorOf({ code }: ParserError, start: string): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError(408, 'the request did not arrive in time');
  if (code !== 'HPE_HEADER_OVERFLOW') return MALFORMED;
  // Node has one code for both. The URL is too long if the request begins with a long line.
  const [line = ''] = start.split('\n', 1);
  return /^[A-Z]+ /.test(line) && line.length > MAX_URL_LENGTH
    ? new ApiError(414, 'URL: too long')
    : new ApiError(431, 'headers: too large');
}
