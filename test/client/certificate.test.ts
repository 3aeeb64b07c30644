import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { describe, mock, test } from 'node:test';
import { setDefaultCACertificates } from 'node:tls';
import { KeyrosterClient, KeyrosterError } from '../../src/client/client.ts';
import { makePair, type Pair } from '../support/certificate.ts';
import { atEndOf, type Scope, suiteScope } from '../support/scope.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);

async function startTls(scope: Scope, pair: Pair): Promise<number> {
  const server = createServer(pair, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [], first_id: null, last_id: null, has_more: false }));
  });
  server.listen(0);
  await once(server, 'listening');
  atEndOf(scope, () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('a certificate', () => {
  const scope = suiteScope();
  const known = makePair();
  const unknown = makePair();
  const named = makePair({ name: 'elsewhere.example' });
  const expired = makePair({ notBefore: daysFromNow(-9), notAfter: daysFromNow(-1) });
  const early = makePair({ notBefore: daysFromNow(1), notAfter: daysFromNow(9) });
  /** What the client makes of a service with this certificate, and how often it called `fetch`. */
  async function outcomeOf(pair: Pair, options: { trusted?: Pair; fetch?: typeof fetch } = {}) {
    setDefaultCACertificates([(options.trusted ?? pair).cert]);
    const origin = `https://localhost:${await startTls(scope, pair)}`;
    const counted = mock.fn(options.fetch ?? fetch);
    const client = new KeyrosterClient({ baseUrl: origin, adminKey: 'vendor-admin01-x', fetch: counted });
    const error: unknown = await client.apiKeys.list({ limit: 7 }).then(
      () => null,
      failure => failure,
    );
    return { error, origin, requests: counted.mock.callCount() };
  }

  test('that this machine trusts is accepted', async () => {
    assert.equal((await outcomeOf(known)).error, null);
  });

  const refused: [what: string, pair: Pair, code: string, advice: RegExp][] = [
    ['of an unknown issuer', unknown, 'DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS$/],
    ['of another name', named, 'ERR_TLS_CERT_ALTNAME_INVALID', /another name: .* the base URL$/],
    ['that has expired', expired, 'CERT_HAS_EXPIRED', /expired: the operator/],
    ["that isn't valid yet", early, 'CERT_NOT_YET_VALID', /clock/],
  ];
  for (const [what, pair, code, advice] of refused) {
    test(`${what} is a certificate_error with its code and with what to do, and is not retried`, async () => {
      const { error, origin, requests } = await outcomeOf(pair, pair === unknown ? { trusted: known } : {});
      assert(error instanceof KeyrosterError, String(error));
      assert.deepEqual(
        [error.type, error.code, error.status, requests],
        ['certificate_error', code, null, 1],
      );
      assert(error.message.startsWith(`the certificate of ${origin} is refused (${code}): `), error.message);
      assert.match(error.message, advice);
      assert.deepEqual(error.resume, { limit: 7 });
    });
  }

  // test/client/runtimes.soak.ts meets the real ones.
  const elsewhere: [runtime: string, error: Error, code: string][] = [
    ['Bun', coded('self signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['Deno', inDeno('UnknownIssuer'), 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
    ['Deno', inDeno('certificate not valid for name "localhost"; …'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['Deno', inDeno('certificate expired: verification time …'), 'CERT_HAS_EXPIRED'],
    ['Deno', inDeno('certificate not valid yet: verification time …'), 'CERT_NOT_YET_VALID'],
    ['Deno', inDeno('BadEncoding'), 'CERT_REJECTED'],
  ];
  for (const [runtime, error, code] of elsewhere) {
    test(`is refused in ${runtime} with the code ${code} too`, async () => {
      const outcome = await outcomeOf(known, { fetch: () => Promise.reject(error) });
      assert(outcome.error instanceof KeyrosterError);
      assert.deepEqual(
        [outcome.error.type, outcome.error.code, outcome.requests],
        ['certificate_error', code, 1],
      );
    });
  }
});

test('a failure that has nothing to do with a certificate is retried, and keeps its code', async () => {
  mock.method(Math, 'random', () => 0); // a retry doesn't wait
  const failing = mock.fn(() => Promise.reject(coded('fetch failed', 'ECONNREFUSED')));
  const client = new KeyrosterClient({
    baseUrl: 'https://localhost',
    adminKey: 'x',
    retries: 2,
    fetch: failing,
  });
  await assert.rejects(async () => client.apiKeys.list(), { type: 'network_error', code: 'ECONNREFUSED' });
  assert.equal(failing.mock.callCount(), 3);
});

describe('an address that no retry makes right', () => {
  const scope = suiteScope();

  async function outcomeAt(baseUrl: string, fetching: typeof fetch = fetch) {
    const counted = mock.fn(fetching);
    const client = new KeyrosterClient({ baseUrl, adminKey: 'vendor-admin01-x', fetch: counted });
    const error: unknown = await client.apiKeys.list().then(
      () => null,
      failure => failure,
    );
    assert(error instanceof KeyrosterError, String(error));
    return { type: error.type, code: error.code, message: error.message, requests: counted.mock.callCount() };
  }

  test('is https:// for a port without TLS', async () => {
    const server = createPlainServer((_, response) => response.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    atEndOf(scope, () => server.close());
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    assert.deepEqual(await outcomeAt(origin), {
      type: 'network_error',
      code: 'ERR_SSL_WRONG_VERSION_NUMBER',
      message: `no complete answer from ${origin}: ERR_SSL_WRONG_VERSION_NUMBER: nothing speaks TLS at this port: is it an http:// address?`,
      requests: 1,
    });
  });

  test('is http:// for a port with TLS', async () => {
    const closing = createSocketServer(socket => socket.once('data', () => socket.end()));
    closing.listen(0, '127.0.0.1');
    await once(closing, 'listening');
    atEndOf(scope, () => closing.close());
    const { message } = await outcomeAt(`http://127.0.0.1:${(closing.address() as AddressInfo).port}`);
    assert.match(message, /: UND_ERR_SOCKET: is it an https:\/\/ address\?$/);
  });

  test('is a host that is not known', async () => {
    const { code, message, requests } = await outcomeAt('http://no-such-host.invalid');
    assert.deepEqual([code, requests], ['ENOTFOUND', 1]);
    assert.match(message, /: ENOTFOUND: no such host is known: fix the base URL$/);
  });

  // test/client/runtimes.soak.ts meets the real ones.
  const elsewhere: [runtime: string, error: Error, code: string][] = [
    ['Bun', coded('EPROTO: The TLS handshake failed.', 'EPROTO'), 'EPROTO'],
    [
      'Deno',
      failedInDeno('client error (Connect): received corrupt message of type InvalidContentType'),
      'ERR_SSL_WRONG_VERSION_NUMBER',
    ],
    [
      'Deno',
      failedInDeno('client error (Connect): dns error: failed to lookup address: Name or service not known'),
      'ENOTFOUND',
    ],
  ];
  for (const [runtime, error, code] of elsewhere) {
    test(`is known in ${runtime} too: ${code}`, async () => {
      const outcome = await outcomeAt('https://localhost', () => Promise.reject(error));
      assert.deepEqual([outcome.type, outcome.code, outcome.requests], ['network_error', code, 1]);
    });
  }
});

test('a host that has answered is retried when its name is not known for a while', async t => {
  t.mock.method(Math, 'random', () => 0); // a retry doesn't wait
  const page = { data: [], first_id: null, last_id: null, has_more: false };
  const answers = [() => Response.json(page), () => unknownHost(), () => Response.json(page)];
  const fetching = mock.fn(async () => (answers.shift() ?? unknownHost)());
  const client = new KeyrosterClient({ baseUrl: 'https://localhost', adminKey: 'x', fetch: fetching });
  await client.apiKeys.list();
  await client.apiKeys.list();
  assert.equal(fetching.mock.callCount(), 3);
});

function unknownHost(): never {
  throw coded('getaddrinfo ENOTFOUND', 'ENOTFOUND');
}

function coded(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}

function inDeno(problem: string): Error {
  return failedInDeno(`client error (Connect): invalid peer certificate: ${problem}`);
}

function failedInDeno(reason: string): Error {
  const message = `error sending request for url (https://localhost/): ${reason}`;
  return new TypeError('fetch failed', { cause: new Error(message) });
}
