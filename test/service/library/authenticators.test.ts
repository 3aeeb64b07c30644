import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import {
  type JwtOptions,
  jwtAuthentication,
  type SessionOptions,
  sessionAuthentication,
} from '../../../src/service/library/authenticators.ts';
import { type Authenticate, createKeyroster } from '../../../src/service/library/library.ts';
import { freePort } from '../../support/free-port.ts';
import { listen } from '../../support/listen.ts';
import { atEndOf } from '../../support/scope.ts';

const ISSUER = 'https://issuer.example/';
const AUDIENCE = 'https://api.example';
const CLAIMS = { iss: ISSUER, aud: AUDIENCE, org: 'org_1', sub: 'auth0|ann' };

const NO_REQUEST = { method: 'GET', url: '/', clientAddress: undefined, original: null };

/** Asks for a page, and gives the status of the answer. */
async function serving(t: TestContext, authenticate: Authenticate) {
  const log: string[] = [];
  const keyroster = await createKeyroster({
    roster: { listApiKeys: async () => ({ items: [], hasMore: false }) },
    authenticate,
    rateLimit: 0,
    log: { write: line => void log.push(line) },
    logLevel: 'debug',
  });
  atEndOf(t, () => keyroster.close());
  const ask = async (headers: NonNullable<ConstructorParameters<typeof Headers>[0]>) => {
    const request = new Request(`https://api.example.com${LIST_API_KEYS_PATH}`, { headers });
    request.headers.set('vendor-version', '2023-06-01');
    const answer = await keyroster.fetch(request);
    const { error } = (await answer.json()) as { error?: { message: string } };
    if (answer.status === 401) assert.match(String(error?.message), /: a valid credential/);
    return answer.status;
  };
  return { ask, log };
}

interface Signer {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly alg: string;
  readonly kid: string;
}

async function signer(kid: string, alg = 'ES256'): Promise<Signer> {
  return { ...(await generateKeyPair(alg, { extractable: true })), alg, kid };
}

const signed = ({ privateKey, alg, kid }: Signer, claims: object = {}, lifetime: string | null = '1m') => {
  const token = new SignJWT({ ...CLAIMS, ...claims }).setProtectedHeader({ alg, kid });
  return (lifetime === null ? token : token.setExpirationTime(lifetime)).sign(privateKey);
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** An issuer, whose key set is what `answer` says. */
async function issuer(t: TestContext, ...signers: readonly Signer[]) {
  const keys = (all: readonly Signer[]) =>
    Promise.all(all.map(async ({ publicKey, kid, alg }) => ({ ...(await exportJWK(publicKey)), kid, alg })));
  const state = { fetches: 0, status: 200, body: '', slow: false };
  const publish = async (...all: readonly Signer[]) => {
    state.body = JSON.stringify({ keys: await keys(all) });
  };
  await publish(...signers);
  const server = createServer((_, response) => {
    state.fetches += 1;
    if (state.slow) return;
    response.writeHead(state.status, { location: '/other' }).end(state.body);
  });
  return { state, publish, jwks: `http://127.0.0.1:${await listen(t, server)}/keys` };
}

const options = (jwks: string, others: Partial<JwtOptions> = {}): JwtOptions => ({
  ...{ jwks, issuer: ISSUER, audience: AUDIENCE, algorithms: ['ES256'], organizationClaim: 'org' },
  ...others,
});

test('a token of the issuer is accepted, and what is wrong with another one is told to nobody', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const key = await signer('one');
  const rsa = await signer('rsa', 'RS256');
  const stranger = await signer('one');
  const { jwks, state } = await issuer(t, key, rsa);
  const { ask, log } = await serving(t, jwtAuthentication(options(jwks)));
  const secret = new TextEncoder().encode(await exportSPKI(key.publicKey));
  const byPublicKey = new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256', kid: 'one' });
  const right = await signed(key);
  const accepted = {
    right,
    'an audience of several': await signed(key, { aud: ['x', AUDIENCE] }),
    'expired within the skew': await signed(key, { exp: inSeconds(-3) }, null),
    'valid soon, within the skew': await signed(key, { nbf: inSeconds(3) }),
  };
  const refused = {
    'another issuer': await signed(key, { iss: 'https://issuer.example' }),
    'no issuer': await signed(key, { iss: undefined }),
    'another audience': await signed(key, { aud: 'https://other.example' }),
    'no audience': await signed(key, { aud: undefined }),
    'no algorithm': new UnsecuredJWT(CLAIMS).setExpirationTime('1m').encode(),
    'the public key as a shared secret': await byPublicKey.setExpirationTime('1m').sign(secret),
    'an algorithm of the set that is not allowed': await signed(rsa),
    "another's key under the same name": await signed(stranger),
    expired: await signed(key, { exp: inSeconds(-7) }, null),
    'not yet valid': await signed(key, { nbf: inSeconds(30) }),
    'without an end': await signed(key, {}, null),
    'an end that is a text': await signed(key, { exp: '9999999999' }, null),
    'no organization': await signed(key, { org: undefined }),
    'an organization that is no ID': await signed(key, { org: 'org 1' }),
    'several organizations': await signed(key, { org: ['org_1'] }),
    'no caller': await signed(key, { sub: undefined }),
    'a caller that is no name': await signed(key, { sub: 'ann\u202e' }),
    'another signature': `${right.slice(0, -8)}AAAAAAAA`,
    'no token': 'x',
    '': '',
  };
  for (const [name, token] of Object.entries(accepted)) assert.equal(await ask(bearer(token)), 200, name);
  for (const [name, token] of Object.entries(refused)) assert.equal(await ask(bearer(token)), 401, name);
  assert.equal(await ask({ authorization: `bearer ${right}` }), 200, 'the scheme in lower case');
  for (const headers of [
    {},
    { authorization: right },
    { authorization: `Basic ${right}` },
    { 'x-authorization': `Bearer ${right}` },
  ])
    assert.equal(await ask(headers), 401);
  const twice = new Headers(bearer(right));
  twice.append('authorization', `Bearer ${right}`);
  assert.equal(await ask(twice), 401, 'two authorization headers');
  assert.equal(state.fetches, 1);
  const logged = log.join('');
  assert.ok(logged.includes('auth0|ann'));
  for (const token of [...Object.values(accepted), ...Object.values(refused)])
    if (token.length > 1) assert.ok(!logged.includes(token.slice(-20)), 'a token is in the log');
});

test("the caller's claim, the skew and the algorithms are those of the options", async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const key = await signer('rsa', 'RS256');
  const { jwks } = await issuer(t, key);
  const others = { algorithms: ['ES256', 'RS256'], callerClaim: 'email', clockSkewSeconds: 0 };
  const { ask, log } = await serving(t, jwtAuthentication(options(jwks, others)));
  assert.equal(await ask(bearer(await signed(key))), 401);
  assert.equal(await ask(bearer(await signed(key, { email: 'ann@example.com' }))), 200);
  assert.ok(log.join('').includes('"caller_id":"ann@example.com"'));
  const late = await signed(key, { email: 'ann@example.com', exp: inSeconds(-2) }, null);
  assert.equal(await ask(bearer(late)), 401);
});

test('a new key is accepted when the set has it, and an old one refused when the set has lost it', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const [before, after] = [await signer('before'), await signer('after')];
  const { jwks, publish, state } = await issuer(t, before);
  const { ask } = await serving(t, jwtAuthentication(options(jwks)));
  const old = bearer(await signed(before, {}, '2h'));
  const young = bearer(await signed(after, {}, '2h'));
  assert.deepEqual([await ask(old), await ask(young)], [200, 401]);
  await publish(before, after);
  t.mock.timers.tick(31_000);
  assert.deepEqual([await ask(old), await ask(young), state.fetches], [200, 200, 2]);
  await publish(after);
  assert.equal(await ask(old), 200, 'the set is cached');
  t.mock.timers.tick(10 * 60_000);
  assert.deepEqual([await ask(old), await ask(young), state.fetches], [401, 200, 3]);
});

test('without a key set nobody is authenticated, and no request waits for the next', async t => {
  const key = await signer('one');
  const { jwks, state, publish } = await issuer(t, key);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const { ask, log } = await serving(t, jwtAuthentication(options(jwks)));
  const token = bearer(await signed(key, {}, '3h'));
  const right = state.body;
  const wrongKey = '{"kty":"EC","kid":"one","alg":"ES256","crv":"P-256","x":"AA","y":"AA"}';
  for (const [status, body] of [
    [500, right],
    [200, '{"keys":["x"]}'],
    [200, `{"keys":[${wrongKey}]}`],
  ] as const) {
    Object.assign(state, { status, body });
    const fetches = state.fetches;
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(token)));
    assert.deepEqual([...new Set(answers)], [503], body);
    assert.ok(state.fetches <= fetches + 1, body);
    t.mock.timers.tick(31_000);
  }
  Object.assign(state, { status: 200, slow: true });
  await publish(key);
  t.mock.timers.tick(60 * 60_000);
  assert.equal(await ask(token), 503, 'a set that does not come');
  assert.match(log.join(''), /AuthenticationUnavailable ERR_JWKS_TIMEOUT/);
  assert.ok(!log.join('').includes('127.0.0.1'));
  state.slow = false;
  t.mock.timers.tick(1_001);
  assert.equal(await ask(token), 200);
});

test('the log tells faults of the key set and wrong claims apart, and has no line of what anybody can send', async t => {
  const [key, stranger] = [await signer('one'), await signer('one')];
  const { jwks, state } = await issuer(t, key);
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.now() });
  const authenticate = jwtAuthentication(options(jwks));
  const { ask, log } = await serving(t, authenticate);
  const told = async (token: string, status: number) => {
    log.length = 0;
    t.mock.timers.tick(1_001);
    assert.equal(await ask(bearer(token)), status);
    return log.map(line => JSON.parse(line).err?.name).find(Boolean);
  };
  const token = await signed(key, {}, '3h');
  const right = state.body;
  for (const [status, body, code] of [
    [500, right, 'ERR_JWKS_STATUS'],
    [302, right, 'ERR_JWKS_STATUS'],
    [200, '<!doctype html>', 'ERR_JWKS_NO_JSON'],
    [200, '{"keys":{}}', 'ERR_JWKS_INVALID'],
  ] as const) {
    Object.assign(state, { status, body });
    assert.equal(await told(token, 503), `AuthenticationUnavailable ${code}`);
  }
  Object.assign(state, { status: 200, body: right });
  const atOnce = async () => authenticate({ ...NO_REQUEST, headers: new Headers(bearer(token)) });
  await assert.rejects(atOnce(), { code: 'ERR_JWKS_INVALID' }, 'that of the last set that was asked for');
  assert.equal(await told(token, 200), undefined);
  const away = await serving(t, jwtAuthentication(options(`http://127.0.0.1:${await freePort()}/`)));
  assert.equal(await away.ask(bearer(token)), 503);
  assert.match(away.log.join(''), /AuthenticationUnavailable ECONNREFUSED/);
  for (const [claims, code] of [
    [{ iss: 'x' }, 'ISS'],
    [{ aud: undefined }, 'AUD'],
    [{ nbf: inSeconds(300) }, 'NBF'],
    [{ org: 'org 1' }, 'ORGANIZATION'],
    [{ sub: undefined }, 'CALLER'],
  ] as const)
    assert.equal(await told(await signed(key, claims, '3h'), 401), `Error ERR_JWT_CLAIM_${code}`);
  assert.equal(await told(await signed(key, {}, null), 401), 'Error ERR_JWT_CLAIM_EXP');
  for (const quiet of [await signed(key, {}, '-1m'), await signed(stranger, { iss: 'x' }), 'x'])
    assert.equal(await told(quiet, 401), undefined);
});

test('a key set that could not be refreshed is asked for again after 30 s', async t => {
  const [before, after] = [await signer('before'), await signer('after')];
  const { jwks, publish, state } = await issuer(t, before);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const { ask } = await serving(t, jwtAuthentication(options(jwks)));
  const withdrawn = bearer(await signed(before, {}, '3h'));
  assert.equal(await ask(withdrawn), 200);
  await publish(after);
  state.status = 503;
  t.mock.timers.tick(10 * 60_000);
  assert.equal(await ask(withdrawn), 200);
  state.status = 200;
  t.mock.timers.tick(29_000);
  assert.deepEqual([await ask(withdrawn), state.fetches], [200, 2]);
  t.mock.timers.tick(1_000);
  assert.deepEqual([await ask(withdrawn), state.fetches], [401, 3]);
});

test('tokens of known keys are accepted for an hour while the issuer is away', async t => {
  const key = await signer('one');
  const { jwks, state } = await issuer(t, key);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const { ask } = await serving(t, jwtAuthentication(options(jwks)));
  const token = bearer(await signed(key, {}, '3h'));
  const unknown = bearer(await signed(await signer('two'), {}, '3h'));
  assert.equal(await ask(token), 200);
  state.status = 503;
  for (let minutes = 0; minutes < 60; minutes += 1) {
    assert.equal(await ask(token), 200, `${minutes} minutes`);
    t.mock.timers.tick(60_000);
  }
  assert.deepEqual([await ask(unknown), await ask(token)], [503, 503]);
  state.status = 200;
  t.mock.timers.tick(1_001);
  assert.deepEqual([await ask(token), await ask(unknown)], [200, 401]);
});

test('200 requests with unknown keys have the set fetched a few times', async t => {
  const key = await signer('one');
  const { jwks, state } = await issuer(t, key);
  const { ask } = await serving(t, jwtAuthentication(options(jwks)));
  const tokens = await Promise.all(
    Array.from({ length: 200 }, (_, number) => signed({ ...key, kid: `k${number}` })),
  );
  const answers = await Promise.all(tokens.map(token => ask(bearer(token))));
  assert.ok(answers.every(status => status === 401 || status === 503 || status === 529));
  assert.equal(await ask(bearer(String(tokens[0]))), 401);
  assert.equal(state.fetches, 1);
  state.status = 500;
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 31_000 });
  for (const token of tokens) assert.equal(await ask(bearer(token)), 503);
  assert.equal(state.fetches, 2, 'nor when it is away');
});

test('a wrong option is a TypeError with its name and rule', () => {
  const right = options('https://issuer.example/keys');
  const wrong: readonly [object, RegExp][] = [
    [{ jwks: undefined }, /^jwks: must be a URL/],
    [{ jwks: 'http://issuer.example/keys' }, /^jwks: must be a URL with https/],
    [{ jwks: 'https://user:secret@issuer.example/' }, /^jwks: [^@]*without a password$/],
    [{ issuer: '' }, /^issuer: must be/],
    [{ audience: undefined }, /^audience: must be/],
    [{ audience: null }, /^audience: must be/],
    [{ algorithms: undefined }, /^algorithms: must be one or more of RS256, /],
    [{ algorithms: [] }, /^algorithms: /],
    [{ algorithms: ['none'] }, /^algorithms: /],
    [{ algorithms: ['ES256', 'HS256'] }, /^algorithms: /],
    [{ organizationClaim: undefined }, /^organizationClaim: /],
    [{ clockSkewSeconds: 61 }, /^clockSkewSeconds: must be a whole number from 0 to 60$/],
    [{ algorithm: ['ES256'] }, /^algorithm: unknown option, did you mean algorithms\?$/],
  ];
  for (const [others, message] of wrong)
    assert.throws(() => jwtAuthentication({ ...right, ...others }), { name: 'TypeError', message });
  for (const jwks of ['http://localhost:1/', 'http://[::1]:1/', 'https://issuer.example'])
    jwtAuthentication({ ...right, jwks });
  const find = () => null;
  const wrongSession: readonly [object, RegExp][] = [
    [{ cookie: 'sid' }, /^find: must be a function$/],
    [{ find }, /^cookie, header: give one of them$/],
    [{ cookie: 'sid', header: 'x-session', find }, /^cookie, header: /],
    [{ cookie: 'a b', find }, /^cookie: must be an HTTP token$/],
    [{ cookie: 'sid', find, cacheSeconds: 61 }, /^cacheSeconds: /],
    [{ cookie: 'sid', find, cacheSecond: 6 }, /^cacheSecond: unknown option, did you mean cacheSeconds\?$/],
  ];
  for (const [given, message] of wrongSession)
    assert.throws(() => sessionAuthentication(given as SessionOptions), { name: 'TypeError', message });
});

/** Sessions by their IDs, and which were looked up. */
function sessions(...ids: readonly string[]) {
  const open = new Set(ids);
  const found: string[] = [];
  const find = async (id: string) => {
    found.push(id);
    await wait(1);
    return open.has(id) && { organizationId: 'org_1', callerId: 'ann' };
  };
  return { open, found, find };
}

test('a session is found by the one cookie or header of its name', async t => {
  const id = "s%3Aabc.d/e+f=g!#$&'()*~";
  const { find } = sessions(id);
  const byCookie = await serving(t, sessionAuthentication({ cookie: '__Host-sid', find }));
  for (const cookie of [
    `__Host-sid=${id}`,
    `a=b; __Host-sid=${id}; c`,
    `a="{1,2}";__Host-sid="${id}"`,
    `x__Host-sid=other; __host-sid=other; __Host-sid=${id}`,
  ])
    assert.equal(await byCookie.ask({ cookie }), 200, cookie);
  for (const cookie of [
    ...[`__Host-sid=${id}; __Host-sid=${id}`, `__Host-sid=; __Host-sid=${id}`],
    ...[`__Host-sid=${id}, a=b`, `__Host-sid="${id}`, `__Host-sid=${id} x`, '__Host-sid=', '__Host-sid'],
    ...[`__Host-sid=${encodeURIComponent(id)}`, `__HOST-SID=${id}`, `x__Host-sid=${id}`],
    ...[`__Host-sid =${id}`, `\xa0__Host-sid=${id}`], // no browser guards cookies of these names
  ])
    assert.equal(await byCookie.ask({ cookie }), 401, cookie);
  const byHeader = await serving(t, sessionAuthentication({ header: 'X-Session', find }));
  assert.equal(await byHeader.ask({ 'x-session': id }), 200);
  const twice = new Headers({ 'x-session': id });
  twice.append('x-session', id);
  for (const headers of [{}, twice, { cookie: `x-session=${id}` }])
    assert.equal(await byHeader.ask(headers), 401);
  const byBearer = await serving(t, sessionAuthentication({ header: 'Authorization', find }));
  assert.deepEqual([await byBearer.ask(bearer(id)), await byBearer.ask({ authorization: id })], [200, 401]);
  assert.ok(!byCookie.log.concat(byHeader.log, byBearer.log).join('').includes(id));
});

test('a found session is cached for its seconds, and one that is not found is not', async t => {
  const { open, found, find } = sessions('ann');
  const { ask } = await serving(t, sessionAuthentication({ header: 'x-session', find, cacheSeconds: 1 }));
  const as = (id: string) => ask({ 'x-session': id });
  assert.deepEqual(await Promise.all(Array.from({ length: 20 }, () => as('ann'))), Array(20).fill(200));
  assert.deepEqual(found, ['ann'], 'requests at the same time share a lookup');
  open.delete('ann');
  assert.equal(await as('ann'), 200, 'it goes on while it is cached');
  await wait(1_010);
  assert.equal(await as('ann'), 401);
  open.add('ann');
  assert.equal(await as('ann'), 200, 'and works at once');
  assert.deepEqual(found, ['ann', 'ann', 'ann']);
  const uncached = await serving(t, sessionAuthentication({ header: 'x-session', find, cacheSeconds: 0 }));
  await Promise.all([1, 2, 3].map(() => uncached.ask({ 'x-session': 'ann' })));
  assert.equal(found.length, 6, 'without a cache each request has its own lookup');
});

test('what a wrapper writes into a found caller counts for that request alone', async () => {
  const wide = { organizationId: 'org_1', callerId: 'ann' };
  const narrow = { ...wide, only: { workspaceId: 'wrkspc_1' } };
  const inherits = Object.create(narrow, { callerId: { value: 'ann' } });
  const frozen = Object.freeze({ ...narrow, only: Object.freeze({ ...narrow.only }) });
  for (const cacheSeconds of [0, 60])
    for (const [found, expected] of [
      [structuredClone(wide), wide],
      [structuredClone(narrow), narrow],
      ...[inherits, frozen].map(each => [each, narrow]),
    ]) {
      const find = () => found;
      const authenticate = sessionAuthentication({ header: 'x-session', find, cacheSeconds });
      const ask = async () =>
        authenticate({ ...NO_REQUEST, headers: new Headers({ 'x-session': 'ann' }) }) as Promise<{
          organizationId: string;
          only?: { workspaceId?: string };
        }>;
      for (const caller of [...(await Promise.all([ask(), ask()])), await ask(), await ask()]) {
        assert.deepEqual(caller, expected);
        caller.organizationId = 'org_2';
        if (caller.only) caller.only.workspaceId = 'wrkspc_2';
        delete caller.only;
      }
      assert.equal(found.organizationId, 'org_1');
    }
});

test('a lookup may answer by one object again and again, and each session keeps what it was', async () => {
  const caller = { organizationId: '', callerId: 'ann', only: { workspaceId: '' } };
  const find = (id: string) => {
    caller.organizationId = `org_${id}`;
    caller.only.workspaceId = `wrkspc_${id}`;
    return caller;
  };
  const authenticate = sessionAuthentication({ header: 'x-session', find });
  for (const id of ['1', '2', '1', '2'])
    assert.deepEqual(await authenticate({ ...NO_REQUEST, headers: new Headers({ 'x-session': id }) }), {
      ...{ organizationId: `org_${id}`, callerId: 'ann', only: { workspaceId: `wrkspc_${id}` } },
    });
});

test('a lookup that never ends is forgotten after 10 s', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let lookups = 0;
  const caller = { organizationId: 'org_1', callerId: 'ann' };
  const find = () => (++lookups === 1 ? new Promise<never>(() => {}) : caller);
  const authenticate = sessionAuthentication({ header: 'x-session', find, cacheSeconds: 60 });
  const headers = new Headers({ 'x-session': 'ann' });
  const ask = async () => authenticate({ ...NO_REQUEST, headers });
  const first = assert.rejects(ask(), { name: 'AuthenticationUnavailable', code: 'ETIMEDOUT' });
  const second = assert.rejects(ask(), { name: 'AuthenticationUnavailable' });
  await new Promise(setImmediate);
  t.mock.timers.tick(10_000);
  await Promise.all([first, second]);
  assert.deepEqual([await ask(), lookups], [caller, 2]);
});

test('what the lookup throws is neither cached nor told', async t => {
  let answer: () => unknown = () => {
    throw new Error('no session secret-1');
  };
  const authenticate = sessionAuthentication({ cookie: 'sid', find: () => answer() as null });
  const { ask, log } = await serving(t, authenticate);
  const headers = { cookie: 'sid=secret-1' };
  assert.equal(await ask(headers), 401);
  assert.ok(!log.join('').includes('secret-1'));
  answer = () => ({ organizationId: 'org 1', callerId: 'ann' });
  assert.equal(await ask(headers), 500);
});
