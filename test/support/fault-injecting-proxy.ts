/** An HTTP proxy that injects one fault into each of the next requests, and then forwards normally. */
import { createServer, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';
import type { Scope } from './scope.ts';

const faults = {
  /** Closes the connection without an answer. */
  dropped: response => response.destroy(),
  'rate limit': response => {
    const body = errorBody('rate_limit_error');
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '0' }).end(body);
  },
  overload: response => {
    const body = errorBody('overloaded_error');
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '0' }).end(body);
  },
  /** A load balancer answers without the service's error body. */
  'load balancer 502': response => answerInHtml(response, 502),
  'load balancer 503': response => answerInHtml(response, 503),
  'load balancer 504': response => answerInHtml(response, 504),
  /** Closes the connection in the middle of a body with a content-length. */
  'half of a known length': (response, body) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.write(half(body), () => response.destroy());
  },
  'half of the chunks': (response, body) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(half(body), () => response.destroy());
  },
  /** Ends the body by closing, as HTTP/1.0 does, so nothing shows that the end is missing. */
  'half until the close': (response, body) => {
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(half(body));
  },
  /** Never answers. */
  silence: () => {},
  /** Starts the body and never ends it. */
  'slow body': (response, body) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.write(half(body));
  },
} satisfies Record<string, (response: ServerResponse, body: Buffer) => unknown>;

export type Fault = keyof typeof faults;

const answerInHtml = (response: ServerResponse, status: number) =>
  response.writeHead(status, { 'content-type': 'text/html' }).end(`<h1>${status}</h1>`);
const half = (body: Buffer) => body.subarray(0, body.length / 2);
const errorBody = (type: string) =>
  JSON.stringify({ type: 'error', error: { type, message: type }, request_id: 'req_1' });

export type FaultInjectingProxy = Awaited<ReturnType<typeof startFaultInjectingProxy>>;

export async function startFaultInjectingProxy(scope: Scope, target: string) {
  let pending: (Fault | null)[] = [];
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests += 1;
    const fault = pending.shift() ?? null;
    const { 'x-api-key': adminKey, 'vendor-version': version } = request.headers;
    const headers = { 'x-api-key': String(adminKey), 'vendor-version': String(version) };
    try {
      const answer = await fetch(target + request.url, { headers });
      const body = Buffer.from(await answer.arrayBuffer());
      if (fault) faults[fault](response, body);
      else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
    } catch {
      response.destroy(); // the service is stopped before the proxy
    }
  });
  const port = await listen(scope, server);
  return {
    url: `http://127.0.0.1:${port}`,
    /** Sets the faults of the next requests. */
    inject: (next: readonly (Fault | null)[]) => {
      pending = [...next];
      requests = 0;
    },
    /** The number of requests since the last `inject`. */
    requests: () => requests,
  };
}
