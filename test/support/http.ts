/**
 * Sends requests over real sockets and checks every answer for what all answers have in common (docs/api.md#answer-headers)
 * and against the OpenAPI document.
 */
import assert from 'node:assert/strict';
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Accepted } from '../../src/service/api/openapi.ts';
import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import type { AdminKey } from '../../src/service/roster/admin-key.ts';
import type { StoreReader } from '../../src/service/roster/pages/reader.ts';
import type { Vendor } from '../../src/shared/record/vendor.ts';
import { answerChecker } from './openapi.ts';
import { headersOf, pipeline } from './pipeline.ts';
import { VENDOR } from './roster.ts';
import type { Scope } from './scope.ts';
import { startService, stubReader } from './service.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it
  readonly body: any;
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  /** Without the `?`. */
  readonly query?: string;
  /** An array is sent as one header line for each value; `undefined` removes a header. */
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

export type Caller = ReturnType<typeof callerOf>;

export function callerOf(port: number, secret: string, vendor: Vendor = VENDOR, accepted?: Accepted) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const received = receiver(vendor, accepted);
  const valid = { 'x-api-key': secret, [`${vendor}-version`]: '2023-06-01' };
  /** The header lines of a valid request, each with its CRLF. */
  const lines = Object.entries({ host: 'localhost', ...valid })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

  return {
    lines,
    close: () => agent.destroy(),
    /** Sends a request: by default a `GET` of the operation with a valid admin key and version. */
    async send(asked: Sent = {}): Promise<Received> {
      const { method = 'GET', path = LIST_API_KEYS_PATH, query, headers, body } = asked;
      const merged = Object.entries({ ...valid, ...headers }).filter(([, value]) => value !== undefined);
      const target = query === undefined ? path : `${path}?${query}`;
      const sent = {
        port,
        host: '127.0.0.1',
        agent,
        method,
        path: target,
        headers: Object.fromEntries(merged),
      };
      return new Promise((resolve, reject) => {
        const attempt = () => {
          const outgoing = request(sent, async message => {
            try {
              const status = message.statusCode ?? 0;
              const all = headersOf(message.rawHeaders);
              resolve(received({ method, path, status, headers: all, text: await text(message) }));
            } catch (error) {
              reject(error);
            }
          });
          outgoing.on('error', (error: NodeJS.ErrnoException) => {
            // The service may close an idle connection while a request is sent on it. On a new one that is an error.
            if (outgoing.reusedSocket && error.code === 'ECONNRESET') attempt();
            else reject(error);
          });
          outgoing.end(body);
        };
        attempt();
      });
    },
    /** Sends raw bytes, without a HEAD, on a new connection and returns the answer to the first request in them. */
    async sendBytes(bytes: string): Promise<Received> {
      const [method = '', target = ''] = bytes.slice(0, 200).split(' ');
      const [path = ''] = target.split('?', 1);
      const { answers, rest } = await pipeline(port, bytes, 1);
      return received({ method, path, ...(answers[0] ?? assert.fail(`no complete answer, only ${rest}`)) });
    },
  };
}

/** Parses an answer's body and checks what all answers have in common. */
export function receiver(vendor: Vendor, accepted?: Accepted): (answer: Omit<Received, 'body'>) => Received {
  const check = answerChecker(vendor, accepted);
  return function received(answer) {
    const withBody = { ...answer, body: answer.method === 'HEAD' ? undefined : JSON.parse(answer.text) };
    assertCommonParts(withBody);
    check(withBody);
    return withBody;
  };
}

function assertCommonParts({ method, status, headers, text, body }: Received): void {
  assert.match(headers['request-id'] ?? '', /^req_[0-9a-f]{32}$/);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['content-type'], 'application/json');
  if (method === 'HEAD') assert.equal(text, '');
  else assert.equal(headers['content-length'], String(Buffer.byteLength(text)));
  if (body && status !== 200) assert.equal(body.request_id, headers['request-id']);
}

/** Starts a service over a stub roster until the scope's end, with a caller that has its admin key. */
export async function startStubRosterService(
  scope: Scope,
  { vendor = VENDOR, ...methods }: Partial<StoreReader> & { vendor?: typeof VENDOR } = {},
  fields: Partial<AdminKey> = {},
) {
  const { reader, secret, organization } = stubReader(methods, fields);
  const service = await startService(reader, vendor);
  const caller = callerOf(service.port, secret, vendor);
  scope.after(() => {
    caller.close();
    return service.close();
  });
  return { ...caller, service, secret, organization };
}
