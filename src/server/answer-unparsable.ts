import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { headersOfEveryAnswer, newRequestId } from './answer.ts';
import { ApiError, renderError } from './errors.ts';
import { MOST_URL_LENGTH } from './limits.ts';

type ParserError = Error & { code?: string | undefined; rawPacket?: unknown };

/** Answers what Node's HTTP parser gave up on, in the contract's envelope, and closes the connection. */
export function answerUnparsable(error: ParserError, socket: Duplex, log: FastifyBaseLogger): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  answerOnSocket(apiErrorOf(error), socket, log);
}

/** The answer to a request that never reached the app. */
export function answerOnSocket(apiError: ApiError, socket: Duplex, log: FastifyBaseLogger): void {
  const requestId = newRequestId();
  const body = renderError(apiError, requestId);
  const headers = {
    ...headersOfEveryAnswer(requestId),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${apiError.status} ${reasons[apiError.status]}\r\n${lines.join('')}\r\n${body}`);
  log.info({ request_id: requestId, method: null, route: null, status: apiError.status }, 'request');
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
  if (code !== 'HPE_HEADER_OVERFLOW') return new ApiError(400, 'malformed HTTP request');
  // Node has one code for both. A URL too long shows where a request starts; in a later packet it's a header.
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
  const [line = ''] = packet.split('\n', 1);
  return /^[A-Z]+ /.test(line) && line.length > MOST_URL_LENGTH
    ? new ApiError(414, 'URL: too long')
    : new ApiError(431, 'headers: too large');
}
