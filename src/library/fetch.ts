import { bodyLength, wholeBody } from '../api/answer.ts';
import type { Api } from '../api/api.ts';
import { NodeRequest } from '../server/handle.ts';
import type { IncomingRequest } from '../server/messages.ts';
import { WebRequest } from './web-request.ts';

/**
 * Answers by a `Response`; never rejects. What becomes of the answer is the server's, so it counts as sent. Frameworks over
 * `node:http` that send a `Response` have a request that no `Request` can be made of: its method is TRACE, say.
 */
export async function fetch(
  api: Api,
  original: Request | IncomingRequest,
  context: object | undefined,
  trustsProxies: boolean,
): Promise<Response> {
  const request =
    'rawHeaders' in original ? new NodeRequest(original) : new WebRequest(original, context, trustsProxies);
  const answer = await api.answer(request);
  answer.sent?.(0);
  api.answered(request, answer, !request.clientHasLeft);
  const { status, body } = answer;
  const headers = new Headers({ ...answer.headers, 'content-length': String(bodyLength(body)) });
  headers.delete('connection');
  return new Response(request.method === 'HEAD' ? null : wholeBody(body), { status, headers });
}
