import type { Answer } from '../api/answer.ts';
import type { Api } from '../api/api.ts';
import { AsciiPieces, type Body, bodyLength, wholeBody } from '../api/body.ts';
import type { IncomingRequest, OutgoingResponse } from './messages.ts';
import { NodeRequest } from './node-request.ts';

/** Answers a request of `node:http`. Resolves when all of the answer was sent or the client has left; never rejects. */
export async function handle(api: Api, incoming: IncomingRequest, response: OutgoingResponse): Promise<void> {
  const request = new NodeRequest(incoming);
  const answer = await api.answer(request);
  const sent = send(api, answer, incoming, response);
  const read = answer.sent?.(sent ? response.writableLength : 0);
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
) {
  if (response.headersSent || isClosed(response)) return false;
  const { status, headers, body } = answer;
  headers['content-length'] = String(bodyLength(body));
  if (api.isStopping()) headers.connection = 'close';
  if (httpVersion === '2.0') delete headers.connection; // it has no such header, and Node warns
  try {
    response.writeHead(status, headers);
    end(response, body);
    return true;
  } catch (err) {
    api.log.error({ request_id: answer.requestId, err }, 'the answer could not be sent');
    socket.destroy?.();
    return false;
  }
}

/** Pieces of less are joined: so they are written at once, with the headers. */
const MIN_BYTES_IN_PIECES = 16 * 1024;

function end(response: OutgoingResponse, body: Body): void {
  if (!(body instanceof AsciiPieces)) response.end(body, 'utf8');
  else if (body.length < MIN_BYTES_IN_PIECES) response.end(wholeBody(body), 'latin1');
  else {
    for (const piece of body.pieces) response.write(piece, 'latin1');
    response.end('', 'latin1');
  }
}

function closed({ socket }: IncomingRequest, response: OutgoingResponse): Promise<void> {
  if (isClosed(response) || socket.destroyed === true) return Promise.resolve();
  return new Promise(resolve => {
    response.once('close', resolve);
    // It waits behind others on its connection. Before Node 26 it isn't closed when the connection is.
    if (!response.socket) onClose(socket, response, resolve);
  });
}

/** What waits for the end of a connection. Node warns of more than ten listeners. */
const waiting = new WeakMap<object, Set<() => void>>();

function onClose(socket: IncomingRequest['socket'], response: OutgoingResponse, end: () => void): void {
  const ends = waiting.get(socket) ?? new Set();
  if (!waiting.has(socket)) {
    waiting.set(socket, ends);
    socket.once?.('close', () => {
      for (const each of ends) each();
    });
  }
  ends.add(end);
  response.once('close', () => ends.delete(end));
}

function isClosed({ closed, destroyed, stream }: OutgoingResponse): boolean {
  return closed === true || destroyed === true || stream?.closed === true || stream?.destroyed === true;
}
