import type { Api } from '../api/api.ts';
import { WebRequest } from './web-request.ts';

/** Answers a `Request`; never rejects. What becomes of the answer is the runtime's, so it counts as sent. */
export async function fetch(
  api: Api,
  request: Request,
  clientAddress: string | undefined,
): Promise<Response> {
  const webRequest = new WebRequest(request, clientAddress);
  const answer = await api.answer(webRequest);
  answer.sent?.(null);
  api.answered(webRequest, answer, !request.signal.aborted);
  const { status, body } = answer;
  const headers = new Headers({ ...answer.headers, 'content-length': String(Buffer.byteLength(body)) });
  headers.delete('connection');
  return new Response(request.method === 'HEAD' ? null : body, { status, headers });
}
