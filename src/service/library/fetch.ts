import { bodyLength, wholeBody } from '../api/answer.ts';
import type { Api } from '../api/api.ts';
import type { ApiRequest } from '../api/request.ts';
import { NodeRequest } from '../server/handle.ts';
import type { IncomingRequest } from '../server/messages.ts';

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
  return new Response(
    request.method === 'HEAD' ? null : (wholeBody(body) as ConstructorParameters<typeof Response>[0]),
    { status, headers },
  );
}

/** A `Request` of the Fetch standard. The runtime has checked what is special to its protocol. */
class WebRequest implements ApiRequest {
  readonly original: Request;
  readonly method: string;
  readonly url: string;
  readonly peerAddress: string | undefined;
  /** The runtime has looked, over HTTP/2 too. */
  readonly hasBodyOfUnknownLength = false;
  readonly #lacksAddress: boolean;

  constructor(original: Request, context: object | undefined, trustsProxies: boolean) {
    const { clientAddress } = Object(context);
    this.original = original;
    this.method = original.method;
    this.url = original.url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
    this.peerAddress = typeof clientAddress === 'string' ? clientAddress : undefined;
    this.#lacksAddress = trustsProxies && this.peerAddress === undefined;
  }

  header(name: string): string | undefined {
    return this.original.headers.get(name) ?? undefined;
  }

  /** A `Request` doesn't tell whether a header was sent twice. */
  headerValues(name: string): readonly string[] {
    const value = this.header(name);
    return value === undefined ? [] : [value];
  }

  /** A copy, which may be changed. */
  headers(): Headers {
    return new Headers(this.original.headers);
  }

  /** Nobody knows the connection: each request counts as the first of its own. */
  get connection(): object {
    return this;
  }

  get clientHasLeft(): boolean {
    return this.original.signal.aborted;
  }

  /** With trusted proxies all clients would be unknown, and nobody would notice. */
  requireWellFormed(): void {
    if (this.#lacksAddress)
      throw new TypeError(
        "trustedProxies: a Request doesn't tell which proxy sent it: call fetch(request, { clientAddress }) with the address of the connection's other end",
      );
  }
}
