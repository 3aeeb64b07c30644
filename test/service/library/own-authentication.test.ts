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
} from '../../../src/service/library/library.ts';
import type { ListQuery } from '../../../src/shared/record/list-query.ts';
import { listen } from '../../support/listen.ts';
import { fetchJson } from '../../support/service.ts';

const roster = { listApiKeys: async () => ({ items: [], hasMore: false }) };
const VERSION = { 'vendor-version': '2023-06-01' };
const CALLER = { organizationId: 'org_1', callerId: 'ann@example.com' };
const SECRET = 'session-2d711642b726b04401627ca9fbac32f5';
/** A credential that has no digit. */
const LETTERS = 'kTqzWmHdpYxvRnLbGjCsFeUaXoItMwPyEQu';

const REQUIRED = 'authorization: a valid credential of the scheme Bearer is required';
/** The answer to an unknown caller: its status, its challenge and its error. */
const UNKNOWN_CALLER = [401, 'Bearer', { type: 'authentication_error', message: REQUIRED }];

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

describe('nothing from authenticate', () => {
  test('is a 401 that says what is required', async t => {
    for (const nothing of [null, undefined, false] as const) {
      const { list, lines } = await startWith(t, { authenticate: async () => nothing });
      const { status, headers, body } = await list();
      assert.deepEqual([status, headers.get('www-authenticate'), body.error], UNKNOWN_CALLER);
      assert.equal(headers.get('vendor-organization-id'), null);
      assert.equal(JSON.parse(lines.at(-1) ?? '').organization_id, undefined);
    }
  });

  test('names the header or the cookie of the security scheme, which the OpenAPI document has too', async t => {
    const schemes = [
      [{ type: 'http', scheme: 'Basic' }, 'authorization: a valid credential of the scheme Basic', 'Basic'],
      [{ type: 'apiKey', in: 'header', name: 'X-Session' }, 'x-session: a valid credential', null],
      [{ type: 'apiKey', in: 'cookie', name: 'session' }, 'cookie session: a valid credential', null],
    ] as const;
    for (const [securityScheme, required, challenge] of schemes) {
      const { list, url } = await startWith(t, { authenticate: () => null, securityScheme });
      const { headers, body } = await list();
      assert.equal(body.error.message, `${required} is required`);
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
    assert.deepEqual([status, headers.get('www-authenticate'), body.error], UNKNOWN_CALLER);
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

  test('is logged once and without its message, whatever it is, as is what throws when it is read', async t => {
    const throwing = (name: string) => ({
      get [name](): never {
        throw new Error(`no ${name} in ${SECRET}`);
      },
    });
    const thrown = [
      new TypeError(SECRET),
      new Error(`no session\n    at ${SECRET} (session.ts:1:1)`),
      new Error(`${SECRET}${'x'.repeat(20_000)}\n    at ${SECRET}`),
      Object.assign(new Error(`\n    at ${SECRET}`), { message: '' }),
      Object.assign(new Error(), { name: SECRET, code: SECRET, stack: SECRET }),
      Object.assign(new Error(), { name: LETTERS, code: LETTERS }),
      Object.assign(new Error(), { name: `${SECRET} Error`, code: `${SECRET} EPIPE` }),
      ...[throwing('message'), Object.assign(new Error('x'), { message: 7, name: {} })],
      ...[Object.setPrototypeOf({}, null), 'a text', null, undefined, 7, { code: 'E' }],
    ];
    const returned = [throwing('organizationId'), throwing('callerId')] as unknown as (typeof CALLER)[];
    const codes = [
      ...thrown.map(error => () => Promise.reject(error)),
      ...returned.map(caller => async () => caller),
      () => {
        throw 'at once';
      },
    ];
    for (const [number, authenticate] of codes.entries()) {
      const { list, lines } = await startWith(t, { authenticate });
      assert.equal((await list({ authorization: `Bearer ${SECRET}` })).status, 401);
      assert.equal(lines.filter(line => line.includes('authenticate has thrown')).length, 1);
      if (number < 7) assert.match(lineOf(lines), /its message is not logged/);
      for (const secret of [SECRET, LETTERS]) assert(!lines.join('').includes(secret), lines.join(''));
    }
  });
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
  test('has all members, however they are given', async t => {
    for (const [how, only] of Object.entries({ plain, inherited, hidden, getter: new OfMember() })) {
      let scope: ListQuery['scope'];
      const listApiKeys: RosterReader['listApiKeys'] = async (_, query) => {
        scope = query.scope;
        return { items: [], hasMore: false };
      };
      const authenticate = () => ({ ...CALLER, only });
      const { list } = await startWith(t, { roster: { listApiKeys }, authenticate });
      assert.equal((await list()).status, 200);
      assert.deepEqual({ ...scope }, plain, how);
    }
  });
});

describe('an answer of authenticate that breaks a rule', () => {
  const wrongOnly: [only: unknown, message: RegExp][] = [
    ...[{}, null, undefined, [], '', 7, 'w_1'].map((only): [unknown, RegExp] => [
      only,
      /only: must be an object with workspaceId, creatorId or both; leave it out for the whole organization/,
    ]),
    [{ workspaceId: 'w_1', team: 't' }, /only.team: unknown field; there are workspaceId/],
    [{ workspace_id: 'w_1' }, /only.workspace_id: unknown field/],
    [new Map([['workspaceId', 'w_1']]), /only.\w+: unknown field/],
    [{ workspaceId: undefined }, /only.workspaceId must be 1 to 255/],
    [{ workspaceId: null }, /the default workspace, which has none, can't be given/],
    [{ workspaceId: 'w_1', creatorId: 'a b' }, /only.creatorId must be 1 to 255 of visible ASCII [^;]*$/],
  ];
  const inherited = Object.assign(Object.create({ onyl: { workspaceId: 'w_1' } }), CALLER);
  const wrong: [caller: unknown, message: RegExp][] = [
    [{ organizationId: '', callerId: 'ann' }, /organizationId must be 1 to 255/],
    [{ organizationId: 'a"b', callerId: 'ann' }, /organizationId must be 1 to 255/],
    [{ organizationId: 'org_1', callerId: 'a\nb' }, /callerId must be/],
    ['org_1', /organizationId must be/],
    [{ ...CALLER, scopes: [] }, /scopes: unknown field; there are organizationId, callerId, only/],
    [inherited, /onyl: unknown field/],
    [{ ...CALLER, [SECRET]: 1 }, /\(unprintable\): unknown field/],
    ...wrongOnly.map(([only, message]): [unknown, RegExp] => [{ ...CALLER, only }, message]),
  ];
  test('is a 500 and a line in the log, and nothing is read', async t => {
    for (const [caller, message] of wrong) {
      const listApiKeys = () => assert.fail('the roster was read');
      const authenticate = () => caller as typeof CALLER;
      const { list, lines } = await startWith(t, { roster: { listApiKeys }, authenticate });
      const { status, body } = await list();
      assert.equal(status, 500, String(message));
      assert.equal(body.error.message, 'an internal error; the request_id finds it in the log');
      assert.match(JSON.parse(lines[0] ?? '').err.message, message);
    }
  });
});

test('requests are counted for each caller of each organization, and failures for each address', async t => {
  const { list } = await startWith(t, {
    rateLimit: 2,
    authenticate: ({ headers }) => {
      const [organizationId = '', callerId = ''] = (headers.get('authorization') ?? '').split(' ');
      return callerId !== '' && { organizationId, callerId };
    },
  });
  const known = [200, 200, 429];
  const callers = {
    'org_1 admin': known,
    'org_2 admin': known,
    'org_1 other': [200],
    'org_1/a b': known,
    'org_1 a/b': [200],
    nobody: [401, 401, 429],
  };
  for (const [authorization, statuses] of Object.entries(callers))
    for (const status of statuses)
      assert.equal((await list({ authorization })).status, status, authorization);
  const { headers, body } = await list({ authorization: 'org_1 admin' });
  assert.match(headers.get('ratelimit') ?? '', /^"caller";r=0;t=\d+$/);
  assert.match(body.error.message, /^rate limit: more than 2 requests of this caller in 60 s/);
});
