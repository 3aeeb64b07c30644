import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import {
  AuthenticationUnavailable,
  createKeyroster,
  type KeyrosterOptions,
  type RequestToAuthenticate,
  type RosterReader,
} from '../../../src/service/library.ts';
import type { ListQuery } from '../../../src/shared/record/list-query.ts';
import { listen } from '../../support/listen.ts';
import { fetchJson } from '../../support/service.ts';

const roster = { listApiKeys: async () => ({ items: [], hasMore: false }) };
const VERSION = { 'vendor-version': '2023-06-01' };
const CALLER = { organizationId: 'org_1', callerId: 'ann@example.com' };
const SECRET = 'session-2d711642b726b04401627ca9fbac32f5';
/** A credential that has no digit. */
const LETTERS = 'kTqzWmHdpYxvRnLbGjCsFeUaXoItMwPyEQu';

type Options = Partial<Extract<KeyrosterOptions, { roster: RosterReader }>>;

async function startWith(t: TestContext, options: Options) {
  const lines: string[] = [];
  const keyroster = await createKeyroster({
    roster,
    authenticate: () => CALLER,
    log: { write: line => lines.push(line) },
    ...options,
  });
  const server = createServer(keyroster.handle);
  const port = await listen(t, server);
  const url = `http://127.0.0.1:${port}`;
  const list = (headers: Record<string, string> = {}, query = '') =>
    fetchJson(`${url}${LIST_API_KEYS_PATH}${query}`, { ...VERSION, ...headers });
  return { list, lines, url, keyroster };
}

test('the caller that authenticate returns is answered and logged, without an admin key', async t => {
  const requests: RequestToAuthenticate[] = [];
  const authenticate = (request: RequestToAuthenticate) => {
    requests.push(request);
    return CALLER;
  };
  const { list, lines } = await startWith(t, { authenticate });
  const { status, headers } = await list({ authorization: `Bearer ${SECRET}` }, '?limit=7');
  assert.equal(status, 200);
  assert.equal(headers.get('vendor-organization-id'), 'org_1');
  const [request] = requests as [RequestToAuthenticate];
  assert.equal(request.method, 'GET');
  assert.equal(request.url, `${LIST_API_KEYS_PATH}?limit=7`);
  assert.equal(request.headers.get('Authorization'), `Bearer ${SECRET}`);
  assert.equal(request.clientAddress, '127.0.0.1');
  const { organization_id, caller_id, admin_key_id, rows } = JSON.parse(lines.at(-1) ?? '');
  assert.deepEqual(
    [organization_id, caller_id, admin_key_id, rows],
    ['org_1', CALLER.callerId, undefined, 0],
  );
  assert(!lines.join('').includes(SECRET));
});

test('the client address is the one behind the proxies that are trusted', async t => {
  let address: string | undefined;
  const { list } = await startWith(t, {
    trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
    authenticate: ({ clientAddress }) => {
      address = clientAddress;
      return CALLER;
    },
  });
  await list({ 'x-forwarded-for': '192.0.2.1, 198.51.100.7, 10.0.0.9' });
  assert.equal(address, '198.51.100.7');
});

describe('nothing from authenticate', () => {
  test('is a 401 that says what is required', async t => {
    for (const nothing of [null, undefined, false] as const) {
      const { list, lines } = await startWith(t, { authenticate: async () => nothing });
      const { status, headers, body } = await list();
      assert.equal(status, 401);
      assert.deepEqual(body.error, {
        type: 'authentication_error',
        message: 'authorization: a valid credential of the scheme Bearer is required',
      });
      assert.equal(headers.get('www-authenticate'), 'Bearer');
      assert.equal(headers.get('vendor-organization-id'), null);
      assert.equal(JSON.parse(lines.at(-1) ?? '').organization_id, undefined);
    }
  });

  test('names the header or the cookie of the security scheme, which the OpenAPI document has too', async t => {
    const schemes = [
      [
        { type: 'http', scheme: 'Basic' },
        'authorization: a valid credential of the scheme Basic is required',
        'Basic',
      ],
      [
        { type: 'apiKey', in: 'header', name: 'X-Session' },
        'x-session: a valid credential is required',
        null,
      ],
      [
        { type: 'apiKey', in: 'cookie', name: 'session' },
        'cookie session: a valid credential is required',
        null,
      ],
    ] as const;
    for (const [securityScheme, message, challenge] of schemes) {
      const { list, url } = await startWith(t, { authenticate: () => null, securityScheme });
      const { headers, body } = await list();
      assert.equal(body.error.message, message);
      assert.equal(headers.get('www-authenticate'), challenge);
      const document = (await fetchJson(`${url}/openapi.json`, {})).body;
      assert.deepEqual(document.components.securitySchemes, { caller: securityScheme });
      assert.deepEqual(document.security, [{ caller: [] }]);
      const { 401: refused } = document.paths[LIST_API_KEYS_PATH].get.responses;
      assert.equal(refused.headers['www-authenticate']?.schema.const ?? null, challenge);
    }
  });
});

describe('what authenticate throws', () => {
  const lineOf = (lines: string[]) => lines.find(each => each.includes('authenticate has thrown')) ?? '';

  test('is the 401 of a caller that is not known; the log has it, without its other properties', async t => {
    const { list, lines } = await startWith(t, {
      authenticate: async ({ headers }) => {
        const error = new Error(`no answer for ${headers.get('authorization')}, ${headers.get('cookie')}`);
        throw Object.assign(error, {
          code: 'ECONNREFUSED',
          config: { headers: Object.fromEntries(headers) },
        });
      },
    });
    const { status, headers, body } = await list({
      authorization: `Bearer ${SECRET}`,
      cookie: `a=b; session=${SECRET}x`,
    });
    assert.equal(status, 401);
    assert.equal(headers.get('www-authenticate'), 'Bearer');
    assert.deepEqual(body.error, {
      type: 'authentication_error',
      message: 'authorization: a valid credential of the scheme Bearer is required',
    });
    const { level, err, request_id } = JSON.parse(lineOf(lines));
    assert.equal(level, 40);
    assert.equal(request_id, body.request_id);
    assert.equal(err.message, 'its message is not logged');
    assert.equal(err.name, 'Error ECONNREFUSED');
    assert.match(err.stack, /own-authentication\.test/);
    assert(!lines.join('').includes(SECRET), lines.join(''));
  });

  test('counts as a failed authentication of its address', async t => {
    const { list, lines } = await startWith(t, {
      rateLimit: 2,
      authenticate: () => {
        throw new Error('jwt malformed');
      },
    });
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await list()).status);
    assert.deepEqual(statuses, [401, 401, 429, 429]);
    assert.equal(lines.filter(line => line.includes('authenticate has thrown')).length, 1);
  });

  test('is a 503 only if it is AuthenticationUnavailable, which counts for nobody', async t => {
    const { list, lines } = await startWith(t, {
      rateLimit: 1,
      authenticate: ({ url }) => {
        throw new AuthenticationUnavailable(`no session store for ${url}`, { cause: url });
      },
    });
    for (let count = 0; count < 3; count++) {
      const { status, headers, body } = await list({}, `?after_id=${SECRET}`);
      assert.equal(status, 503);
      assert.equal(headers.get('retry-after'), '5');
      assert.deepEqual(body.error, {
        type: 'api_error',
        message: 'callers cannot be authenticated just now; try again',
      });
    }
    const { level, err } = JSON.parse(lineOf(lines));
    assert.equal(level, 50);
    assert.equal(err.name, 'AuthenticationUnavailable');
    assert(!lines.join('').includes(SECRET), lines.join(''));
  });

  test('is logged without its message, also one that looks like a place, has many lines or was changed', async t => {
    const thrown = [
      new TypeError(SECRET),
      new Error(`no session\n    at ${SECRET} (session.ts:1:1)`),
      new Error(`${SECRET}${'x'.repeat(20_000)}\n    at ${SECRET}`),
      Object.assign(new Error(`\n    at ${SECRET}`), { message: '' }),
      Object.assign(new Error(), { name: SECRET, code: SECRET, stack: SECRET }),
      Object.assign(new Error(), { name: LETTERS, code: LETTERS }),
      Object.assign(new Error(), { name: `${SECRET} Error`, code: `${SECRET} EPIPE` }),
    ];
    for (const error of thrown) {
      const { list, lines } = await startWith(t, { authenticate: () => Promise.reject(error) });
      assert.equal((await list()).status, 401);
      assert.match(lineOf(lines), /its message is not logged/);
      for (const secret of [SECRET, LETTERS]) assert(!lines.join('').includes(secret), lines.join(''));
    }
  });

  test('may be what throws when it is read, as may be what authenticate returns', async t => {
    const throwing = (name: string) => ({
      get [name](): never {
        throw new Error(`no ${name} in ${SECRET}`);
      },
    });
    const odd = Object.setPrototypeOf({}, null);
    const thrown = [throwing('message'), Object.assign(new Error('x'), { message: 7, name: {} }), odd];
    const returned = [throwing('organizationId'), throwing('callerId')];
    const codes = [
      ...thrown.map(error => () => Promise.reject(error)),
      ...returned.map(caller => async () => caller as unknown as typeof CALLER),
    ];
    for (const authenticate of codes) {
      const { list, lines } = await startWith(t, { authenticate });
      assert.equal((await list({ authorization: `Bearer ${SECRET}` })).status, 401);
      assert.equal(lines.filter(line => line.includes('authenticate has thrown')).length, 1);
      assert(!lines.join('').includes(SECRET), lines.join(''));
    }
  });

  for (const thrown of ['a text', null, undefined, 7, { code: 'E' }]) {
    test(`may be anything: ${JSON.stringify(thrown)}`, async t => {
      const authenticate = () => {
        throw thrown;
      };
      const { list, lines } = await startWith(t, { authenticate });
      assert.equal((await list()).status, 401);
      assert.equal(lines.filter(line => line.includes('authenticate has thrown')).length, 1);
    });
  }
});

describe('the scope that authenticate answers', () => {
  class OfTeam {
    workspaceId = 'w_1';
  }
  class OfMember extends OfTeam {
    get creatorId() {
      return 'u_1';
    }
  }
  const hidden = Object.defineProperty({ creatorId: 'u_1' }, 'workspaceId', { value: 'w_1' });
  const inherited = Object.assign(Object.create({ workspaceId: 'w_1' }), { creatorId: 'u_1' });
  const plain = { workspaceId: 'w_1', creatorId: 'u_1' };
  for (const [how, only] of Object.entries({ plain, inherited, hidden, getter: new OfMember() }))
    test(`has all members, however they are given: ${how}`, async t => {
      let scope: ListQuery['scope'];
      const roster: RosterReader = {
        listApiKeys: async (_, query) => {
          scope = query.scope;
          return { items: [], hasMore: false };
        },
      };
      const { list } = await startWith(t, { roster, authenticate: () => ({ ...CALLER, only }) });
      assert.equal((await list()).status, 200);
      assert.deepEqual({ ...scope }, plain);
    });
});

describe('an answer of authenticate that breaks a rule', () => {
  const wrong: [caller: unknown, message: RegExp][] = [
    [{ organizationId: '', callerId: 'ann' }, /organizationId must be 1 to 128/],
    [{ organizationId: 'a/b', callerId: 'ann' }, /organizationId must be 1 to 128/],
    [{ organizationId: 'org_1' }, /callerId must be 1 to 128/],
    [{ organizationId: 'org_1', callerId: 'a\nb' }, /callerId must be/],
    ['org_1', /organizationId must be/],
    [
      { ...CALLER, scopes: [] },
      /^authenticate: scopes: unknown field; there are organizationId, callerId, only/,
    ],
    ...[{}, null, undefined, [], '', 7].map((only): [unknown, RegExp] => [
      { ...CALLER, only },
      /^authenticate: only: must be an object with workspaceId, creatorId or both; leave it out for the whole organization/,
    ]),
    [
      { ...CALLER, only: { workspaceId: 'w_1', team: 't' } },
      /^authenticate: only.team: unknown field; there are workspaceId/,
    ],
    [{ ...CALLER, only: { workspace_id: 'w_1' } }, /^authenticate: only.workspace_id: unknown field/],
    [{ ...CALLER, only: 'w_1' }, /^authenticate: only: must be an object/],
    [{ ...CALLER, only: new Map([['workspaceId', 'w_1']]) }, /^authenticate: only.\w+: unknown field/],
    [
      Object.assign(Object.create({ onyl: { workspaceId: 'w_1' } }), CALLER),
      /^authenticate: onyl: unknown field/,
    ],
    [{ ...CALLER, only: { workspaceId: undefined } }, /^authenticate: only.workspaceId must be 1 to 128/],
    [{ ...CALLER, only: { workspaceId: null } }, /the default workspace, which has none, can't be given/],
    [
      { ...CALLER, only: { workspaceId: 'w_1', creatorId: 'a b' } },
      /^authenticate: only.creatorId must be 1 to 128 of A-Z a-z 0-9 _ -$/,
    ],
    [{ ...CALLER, [SECRET]: 1 }, /^authenticate: \(unprintable\): unknown field/],
  ];
  for (const [caller, message] of wrong) {
    test(`is a 500 and a line in the log: ${JSON.stringify(caller)}`, async t => {
      let reads = 0;
      const { list, lines } = await startWith(t, {
        roster: {
          listApiKeys: async () => {
            reads += 1;
            return null;
          },
        },
        authenticate: () => caller as typeof CALLER,
      });
      const { status, body } = await list();
      assert.equal(status, 500);
      assert.equal(body.error.message, 'an internal error; the request_id finds it in the log');
      assert.match(JSON.parse(lines[0] ?? '').err.message, message);
      assert.equal(reads, 0);
    });
  }
});

test('requests are counted for each caller of each organization, and failures for each address', async t => {
  const { list } = await startWith(t, {
    rateLimit: 2,
    authenticate: ({ headers }) => {
      const [organizationId = '', callerId = ''] = (headers.get('authorization') ?? '').split('/');
      return callerId !== '' && { organizationId, callerId };
    },
  });
  const statuses = async (authorization: string, count: number) => {
    const answers = [];
    for (let i = 0; i < count; i++) answers.push((await list({ authorization })).status);
    return answers;
  };
  assert.deepEqual(await statuses('org_1/admin', 3), [200, 200, 429]);
  assert.deepEqual(await statuses('org_2/admin', 3), [200, 200, 429]);
  assert.deepEqual(await statuses('org_1/other', 1), [200]);
  assert.deepEqual(await statuses('nobody', 3), [401, 401, 429]);
  const { headers, body } = await list({ authorization: 'org_1/admin' });
  assert.match(headers.get('ratelimit') ?? '', /^"caller";r=0;t=\d+$/);
  assert.match(body.error.message, /^rate limit: more than 2 requests of this caller in 60 s/);
});
