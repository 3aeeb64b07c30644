/** Unusual and malformed HTTP requests, each with the answer that it should get. */
import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import type { Tenant } from './service-process.ts';

interface RawRequest {
  readonly what: string;
  readonly bytes: string;
  /** More than one where the service may find the error before or after it answers. */
  readonly statuses: readonly number[];
  /** The connection after the answer. */
  readonly then: 'kept open' | 'closed' | 'either';
}

const TARGET = LIST_API_KEYS_PATH;

/** Requests a page with this many items: the page shows which key and which request line the service read. */
export function listRequest({ secret }: Tenant, limit: number, more = ''): string {
  return `GET ${TARGET}?limit=${limit} HTTP/1.1\r\n${linesOf(secret)}${more}\r\n`;
}

const linesOf = (secret: string) =>
  `host: localhost\r\nx-api-key: ${secret}\r\nvendor-version: 2023-06-01\r\n`;

/** The requests are one tenant's; some of them try to smuggle in a request of another. */
export function rawCorpus(tenant: Tenant, other: Tenant): RawRequest[] {
  const lines = linesOf(tenant.secret);
  const withoutHost = lines.replace(/^host: .*\r\n/, '');
  const start = `GET ${TARGET}?limit=2`;
  const get = `${start} HTTP/1.1\r\n${lines}`;
  const post = `POST ${TARGET} HTTP/1.1\r\n${lines}`;
  const smuggled = listRequest(other, 4);
  const length = (body: string) => `content-length: ${body.length}\r\n`;
  const chunk = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n`;
  const chunked = 'transfer-encoding: chunked\r\n';
  const expecting = (status: number | number[], then: RawRequest['then'], requests: Record<string, string>) =>
    Object.entries(requests).map(([what, bytes]) => ({ what, bytes, statuses: [status].flat(), then }));

  return [
    ...expecting(200, 'kept open', {
      'a plain request': `${get}\r\n`,
      'empty lines before it': `\r\n\r\n${get}\r\n`,
      'names of headers in capitals': `${start} HTTP/1.1\r\n${lines.replace(/^[^:]+/gm, name => name.toUpperCase())}\r\n`,
      'space around values': `${start} HTTP/1.1\r\n${lines.replaceAll(': ', ':\t ').replaceAll('\r\n', ' \t\r\n')}\r\n`,
      'a length of 0': `${get}content-length: 0\r\n\r\n`,
      'an absolute URL, as sent to a proxy': `${start.replace(' /', ' http://localhost/')} HTTP/1.1\r\n${lines}\r\n`,
      'an absolute URL with another host': `${start.replace(' /', ' http://example.com/')} HTTP/1.1\r\n${lines}\r\n`,
    }),
    ...expecting(200, 'either', {
      'an upgrade to WebSocket': `${get}connection: upgrade\r\nupgrade: websocket\r\n\r\n`,
    }),
    ...expecting([200, 400], 'either', {
      'an unknown expectation': `${get}expect: x\r\n\r\n`,
    }),
    ...expecting(200, 'closed', {
      'HTTP/1.0': `${start} HTTP/1.0\r\n${lines}\r\n`,
      'HTTP/1.0 without a host': `${start} HTTP/1.0\r\n${withoutHost}\r\n`,
    }),
    ...expecting(400, 'kept open', {
      'no host': `${start} HTTP/1.1\r\n${withoutHost}\r\n`,
      'two hosts': `${get}host: example.com\r\n\r\n`,
      'one host twice': `${get}Host: localhost\r\n\r\n`,
      'no host, for another path': 'GET /x HTTP/1.1\r\n\r\n',
      'a fragment': `${start}#x HTTP/1.1\r\n${lines}\r\n`,
    }),
    ...expecting(400, 'closed', {
      'a length and chunks': `${get}content-length: ${smuggled.length}\r\n${chunked}\r\n0\r\n\r\n${smuggled}`,
      'chunks and a length': `${post}${chunked}content-length: 5\r\n\r\n0\r\n\r\n${smuggled}`,
      'two lengths': `${post}content-length: 0\r\n${length(smuggled)}\r\n${smuggled}`,
      'a list of lengths': `${post}content-length: 0, ${smuggled.length}\r\n\r\n${smuggled}`,
      'a length above 64 bits': `${post}content-length: 18446744073709551616\r\n\r\n${smuggled}`,
      'chunked, but not as the last coding': `${post}transfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n${smuggled}`,
      'a length and a transfer-encoding header with a space after its name': `${post}${length(smuggled)}transfer-encoding : chunked\r\n\r\n${smuggled}`,
      'bare LFs': `${get.replaceAll('\r\n', '\n')}\n`,
      'a bare CR in a header': `${get}x: y\rhost: example.com\r\n\r\n`,
      'a bare LF at the end of the headers': `${get}\n${smuggled}`,
      'a folded header': `${get}x: a\r\n b\r\n\r\n`,
      'a NUL in a header': `${get}x: a\0b\r\n\r\n`,
      'a NUL in the URL': `${start}\0 HTTP/1.1\r\n${lines}\r\n`,
      'a space before the colon': `${get}x : y\r\n\r\n`,
      'a body with a length on GET': `${get}${length(smuggled)}\r\n${smuggled}`,
      'a body in chunks on GET': `${get}${chunked}\r\n${chunk(smuggled)}0\r\n\r\n`,
      'chunks with trailers on GET': `${get}${chunked}trailer: x-api-key\r\n\r\n${chunk('abc')}0\r\nx-api-key: ${other.secret}\r\n\r\n`,
      'half a body on GET': `${get}content-length: 10000\r\n\r\n${smuggled}`,
      'HTTP/0.9': `${start}\r\n\r\n`,
      "HTTP/2's method without a version": 'PRI /\r\n\r\n',
      'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
      'a TLS hello': `\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03${'\x07'.repeat(507)}`,
      'a header without a colon': `${get}x-api-key\r\n\r\n`,
      'bytes beyond ASCII in the URL': `${start}\xe9 HTTP/1.1\r\n${lines}\r\n`,
      'a lower-case method': `get ${TARGET} HTTP/1.1\r\n${lines}\r\n`,
    }),
    ...expecting([400, 405], 'closed', {
      'a transfer coding that looks like chunked': `${post}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
      'a chunk with a sign': `${post}${chunked}\r\n-1\r\n\r\n${smuggled}`,
      'a chunk longer than it says': `${post}${chunked}\r\n1\r\nabc\r\n0\r\n\r\n${smuggled}`,
      'a chunk that ends with a bare LF': `${post}${chunked}\r\n0\n\n${smuggled}`,
      'a chunk length above 64 bits': `${post}${chunked}\r\nfffffffffffffffff\r\n${smuggled}`,
    }),
    ...expecting(404, 'closed', {
      CONNECT: `CONNECT example.com:443 HTTP/1.1\r\n${lines}\r\n${smuggled}`,
    }),
    ...expecting(404, 'kept open', {
      'OPTIONS *': `OPTIONS * HTTP/1.1\r\n${lines}\r\n`,
      'a path with ..': `GET ${TARGET}/../api_keys HTTP/1.1\r\n${lines}\r\n`,
    }),
    ...expecting(405, 'kept open', {
      'a body with a length on POST': `${post}${length(smuggled)}\r\n${smuggled}`,
      'a body in chunks on POST': `${post}${chunked}\r\n${chunk(smuggled)}0\r\n\r\n`,
      'chunks with trailers on POST': `${post}${chunked}\r\n${chunk('abc')}0\r\nhost: b\r\nx-api-key: ${other.secret}\r\n\r\n`,
      'chunks with extensions on POST': `${post}${chunked}\r\n3;a=b;c="d"\r\nabc\r\n0;x\r\n\r\n`,
      'a body in gzip chunks on POST': `${post}transfer-encoding: gzip, chunked\r\n\r\n${chunk(smuggled)}0\r\n\r\n`,
    }),
    ...expecting(414, 'kept open', {
      'a URL of 9 KB': `${start}&beta=${'a'.repeat(9_000)} HTTP/1.1\r\n${lines}\r\n`,
    }),
    ...expecting(414, 'closed', {
      'a URL of 64 KB': `${start}&beta=${'a'.repeat(64_000)} HTTP/1.1\r\n${lines}\r\n`,
    }),
    ...expecting(431, 'closed', {
      'a header of 20 KB': `${get}x: ${'a'.repeat(20_000)}\r\n\r\n`,
      '5,000 headers': `${get}${'a: b\r\n'.repeat(5_000)}\r\n`,
    }),
    ...expecting(401, 'kept open', {
      'two admin keys': `${get}x-api-key: ${other.secret}\r\n\r\n`,
      'no admin key': `${start} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    }),
  ];
}
