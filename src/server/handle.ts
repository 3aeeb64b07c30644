import type { Answer } from '../api/answer.ts';
import type { Api } from '../api/api.ts';
import type { IncomingRequest, OutgoingResponse } from './messages.ts';
import { NodeRequest } from './node-request.ts';

/** Answers a request of `node:http`. Resolves when all of the answer was sent or the client has left; never rejects. */
export async function handle(api: Api, incoming: IncomingRequest, response: OutgoingResponse): Promise<void> {
  const request = new NodeRequest(incoming);
  const answer = await api.answer(request);
  const sent = send(answer, response, api.isStopping(), incoming.httpVersion === '2.0');
  answer.sent?.(sent ? response : null);
  if (!response.closed) await new Promise<void>(resolve => response.once('close', resolve));
  api.answered(request, answer, sent && response.writableFinished);
}

/** Returns whether it could be sent: a client may have left, or code around this one has answered, after a timeout say. */
function send(
  { status, headers, body }: Answer,
  response: OutgoingResponse,
  closeConnection: boolean,
  isHttp2: boolean,
): boolean {
  if (response.headersSent || response.destroyed) return false;
  headers['content-length'] = String(Buffer.byteLength(body));
  if (closeConnection) headers.connection = 'close';
  if (isHttp2) delete headers.connection; // it has no such header, and Node warns
  response.writeHead(status, headers);
  response.end(body);
  return true;
}
