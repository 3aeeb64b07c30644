import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { createServer as createSocketServer } from 'node:net';
import { describe, mock, test } from 'node:test';
import { setDefaultCACertificates } from 'node:tls';
import { KeyrosterClient } from '../../src/client/client.ts';
import { startAnsweringService } from '../support/answering-service.ts';
import { makePair, type Pair } from '../support/certificate.ts';
import { errorOf } from '../support/error-of.ts';
import { listen } from '../support/listen.ts';
import { type Scope, suiteScope } from '../support/scope.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);
const empty = { data: [], first_id: null, last_id: null, has_more: false };

/** Returns the service's URL. */
async function startTls(scope: Scope, pair: Pair): Promise<string> {
  const server = createServer(pair, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(empty));
  });
  return `https://localhost:${await listen(scope, server)}`;
}

/** A list of the service there, and how often the client called `fetch`. */
function clientAt(baseUrl: string, fetching: typeof fetch = fetch) {
  const counted = mock.fn(fetching);
  const client = new KeyrosterClient({ baseUrl, adminKey: 'vendor-admin01-x', fetch: counted });
  return { list: () => client.apiKeys.list({ limit: 7 }), requests: () => counted.mock.callCount() };
}

describe('a certificate', () => {
  const scope = suiteScope();
  const known = makePair();
  const unknown = makePair();
  const named = makePair({ name: 'elsewhere.example' });
  const expired = makePair({ notBefore: daysFromNow(-9), notAfter: daysFromNow(-1) });
  const early = makePair({ notBefore: daysFromNow(1), notAfter: daysFromNow(9) });

  test('that this machine trusts is accepted', async () => {
    setDefaultCACertificates([known.cert]);
    assert.deepEqual((await clientAt(await startTls(scope, known)).list()).data, []);
  });

  const refused: [what: string, pair: Pair, code: string, advice: RegExp][] = [
    ['of an unknown issuer', unknown, 'DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS$/],
    ['of another name', named, 'ERR_TLS_CERT_ALTNAME_INVALID', /another name: .* the base URL$/],
    ['that has expired', expired, 'CERT_HAS_EXPIRED', /expired: the operator/],
    ["that isn't valid yet", early, 'CERT_NOT_YET_VALID', /clock/],
  ];
  for (const [what, pair, code, advice] of refused) {
    test(`${what} is a certificate_error with its code and with what to do, and is not retried`, async () => {
      setDefaultCACertificates([(pair === unknown ? known : pair).cert]);
      const origin = await startTls(scope, pair);
      const { list, requests } = clientAt(origin);
      const error = await errorOf(list());
      assert.deepEqual(
        [error.type, error.code, error.status, requests()],
        ['certificate_error', code, null, 1],
      );
      assert(error.message.startsWith(`the certificate of ${origin} is refused (${code}): `), error.message);
      assert.match(error.message, advice);
      assert.deepEqual(error.resume, { limit: 7 });
    });
  }
});

test('https:// for a port without TLS is told, and not retried', async t => {
  const origin = (await startAnsweringService(t, (_, response) => response.end())).replace('http', 'https');
  const { list, requests } = clientAt(origin);
  const { type, code, message } = await errorOf(list());
  assert.deepEqual([type, code, requests()], ['network_error', 'ERR_SSL_WRONG_VERSION_NUMBER', 1]);
  assert.equal(
    message,
    `no complete answer from ${origin}: ${code}: nothing speaks TLS at this port: is it an http:// address?`,
  );
});

test('http:// for a port with TLS is told', async t => {
  const closing = createSocketServer(socket => socket.once('data', () => socket.end()));
  const { list } = clientAt(`http://127.0.0.1:${await listen(t, closing)}`);
  assert.match((await errorOf(list())).message, /: UND_ERR_SOCKET: is it an https:\/\/ address\?$/);
});

test('a host that is not known is told, and not retried', async () => {
  const { list, requests } = clientAt('http://no-such-host.invalid');
  const { code, message } = await errorOf(list());
  assert.deepEqual([code, requests()], ['ENOTFOUND', 1]);
  assert.match(message, /: ENOTFOUND: no such host is known: fix the base URL$/);
});

test('a failure that a retry may make right is retried, as is a host that has answered and is not known for a while', async t => {
  t.mock.method(Math, 'random', () => 0); // a retry doesn't wait
  const refusing = clientAt('https://localhost', () => Promise.reject(coded('fetch failed', 'ECONNREFUSED')));
  const { type, code } = await errorOf(refusing.list());
  assert.deepEqual([type, code, refusing.requests()], ['network_error', 'ECONNREFUSED', 5]);
  const unknown = coded('getaddrinfo ENOTFOUND', 'ENOTFOUND');
  const { list, requests } = clientAt('https://localhost', async () =>
    requests() === 1 ? Promise.reject(unknown) : Response.json(empty),
  );
  await list();
  await list();
  assert.equal(requests(), 3);
});

function coded(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
