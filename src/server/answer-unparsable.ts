import type { Socket } from 'node:net';
import { headersOfEveryAnswer, newRequestId } from './answer.ts';
import { ApiError, renderError } from './errors.ts';

type ParserError = Error & { code?: string | undefined; rawPacket?: unknown };

/** Answers what Node's HTTP parser gave up on, in the contract's envelope, and closes the connection. */
export function answerUnparsable(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const apiError = apiErrorOf(error);
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
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
};

function apiErrorOf({ code, rawPacket }: ParserError): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError(408, 'the request did not arrive in time');
  if (code !== 'HPE_HEADER_OVERFLOW') return new ApiError(400, 'malformed HTTP request');
  // Node has one code for both: no end of line in what came means that the request line alone was too long.
  const lineEnded = !Buffer.isBuffer(rawPacket) || rawPacket.includes('\n');
  return lineEnded ? new ApiError(431, 'headers: too large') : new ApiError(414, 'URL: too long');
}
