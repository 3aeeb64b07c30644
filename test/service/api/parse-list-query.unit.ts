import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError } from '../../../src/service/api/errors.ts';
import { parseListQuery } from '../../../src/service/api/parse-list-query.ts';
import { KEY_ID_RULE, OWNER_ID_RULE } from '../../../src/shared/record/identifier.ts';

const LIMIT_RULE = 'limit: must be a whole number from 1 to 1000';
const CURSORS = ['after_id', 'before_id'];
const ID_PARAMETERS = ['after_id', 'before_id', 'workspace_id', 'created_by_user_id'];
const PARAMETERS = ['limit', ...ID_PARAMETERS, 'status'];
const KNOWN =
  'the parameters are limit, after_id, before_id, status, workspace_id, created_by_user_id, created_from, created_before';

describe('a query string that follows the rules', () => {
  const nothing = { limit: 20, cursor: null, filter: {} };
  const accepted: Record<string, object> = {
    '': nothing,
    '&': nothing,
    'limit=1': { ...nothing, limit: 1 },
    '&limit=7&': { ...nothing, limit: 7 },
    'l%69mit=%31%30': { ...nothing, limit: 10 },
    'after_id=k': { ...nothing, cursor: { direction: 'after', id: 'k' } },
    'before_id=A-z_09': { ...nothing, cursor: { direction: 'before', id: 'A-z_09' } },
    'beta=true': nothing,
    'beta=true&beta=false&limit=3': { ...nothing, limit: 3 },
  };
  test('is accepted', () => {
    for (const [queryString, query] of Object.entries(accepted))
      assert.deepEqual(parseListQuery(queryString), query, queryString);
  });

  test('may have all parameters at once, in any order', () => {
    const pairs = ['limit=5', 'after_id=k', 'status=active', 'workspace_id=w', 'created_by_user_id=u'];
    const query = {
      limit: 5,
      cursor: { direction: 'after', id: 'k' },
      filter: { status: 'active', workspaceId: 'w', creatorId: 'u' },
    };
    assert.deepEqual(parseListQuery(pairs.join('&')), query);
    assert.deepEqual(parseListQuery(pairs.toReversed().join('&')), query);
  });
});

describe('a parameter that breaks its rule', () => {
  const limits = ['0', '1001', '-1', '%2B5', '+5', '%205', '020', '1.0', '1e3', '0x10', '%D9%A1', '5%0A'];
  test('a limit that is no whole number from 1 to 1000 is refused', () => {
    for (const limit of [...limits, '9'.repeat(400), '9007199254740993'])
      refuses(`limit=${limit}`, LIMIT_RULE);
  });

  test('an ID of other characters, or of too many, is refused', () => {
    for (const name of ID_PARAMETERS)
      for (const value of ['%20', 'a+b', 'a%22', 'a%5C', '%3Ca', 'a%00', 'a%0A', '%C3%A9', 'k'.repeat(256)])
        refuses(`${name}=${value}`, `${name}: ${CURSORS.includes(name) ? KEY_ID_RULE : OWNER_ID_RULE}`);
    for (const name of CURSORS) refuses(`${name}=a%24b`, `${name}: ${KEY_ID_RULE}`);
    for (const hash of [
      '$2b$12$EixZaYVK1fsbw1ZfbX3OXe',
      'X03MO1qnZdYdgyfeuILPmQ%3D%3D',
      'scrypt:32768:8:1$salt$0a1b2c3d4e',
    ])
      refuses(`created_by_user_id=${hash}`, `created_by_user_id: ${OWNER_ID_RULE}`);
  });

  test('an ID that is the text null or undefined is refused with what to do instead', () => {
    for (const name of ID_PARAMETERS)
      for (const text of ['null', 'undefined'])
        refuses(
          `${name}=${text}`,
          `${name}: is the text ${text}: leave the parameter out where there is no value`,
        );
  });

  test('a status that there is not is refused', () => {
    for (const status of ['Active', 'deleted', 'active,inactive', 'active%00', '%20active', '*'])
      refuses(`status=${status}`, 'status: must be one of active, inactive, archived');
  });

  test('the status expired is refused with what to do instead', () => {
    refuses(
      'status=expired',
      'status: must be one of active, inactive, archived: expired is computed from expires_at, so list the active keys and compare that with the time',
    );
  });

  test('each is refused when it is empty, with or without "=", and for its encoding', () => {
    for (const name of PARAMETERS) {
      for (const empty of [`${name}=`, name]) refuses(empty, `${name}: must not be empty`);
      for (const value of ['%', '%zz', 'a%', '%C3', '%ff', '%ED%A0%80'])
        refuses(`${name}=${value}`, `${name}: malformed percent-encoding`);
    }
  });

  test('each is refused when given twice, even with the same value or with its name encoded differently', () => {
    for (const name of PARAMETERS) {
      const value = name === 'limit' ? '5' : 'active';
      for (const again of [name, `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`])
        refuses(`${name}=${value}&${again}=${value}`, `${name}: given more than once`);
    }
  });

  test('after_id and before_id together are refused', () => {
    for (const both of ['after_id=a&before_id=b', 'before_id=a&after_id=a'])
      refuses(both, 'after_id, before_id: give one of them, not both');
  });
});

describe('an unknown parameter', () => {
  const typos = {
    statsu: 'status',
    Status: 'status',
    stats: 'status',
    lmit: 'limit',
    workspaceId: 'workspace_id',
    'workspace_id[]': 'workspace_id',
    created_by: 'created_by_user_id',
    created_form: 'created_from',
    after: 'after_id',
  };
  const ofOtherServices =
    'page page_size pageSize per_page page_token next_token offset cursor starting_after ending_before max_results count sort ' +
    'order order_by q query fields include expand type owner user_id project_id team_id org_id name state active archived since ' +
    'until created created_at created_at[lt] created[gte] created_after created_since updated_since include_archived';

  test('is refused with the names of all, and one is suggested where it is near', () => {
    for (const [name, meant] of Object.entries(typos))
      assert.equal(messageOf(`${name}=1`), `${name}: unknown parameter, did you mean ${meant}?; ${KNOWN}`);
    for (const name of [...ofOtherServices.split(' '), 'Beta', '__proto__', 'constructor', 'x'])
      assert.equal(
        messageOf(`${name}=1`).replace(/^\(unprintable\)/, name),
        `${name}: unknown parameter; ${KNOWN}`,
      );
  });

  test('with a badly encoded name is refused for its encoding', () => {
    assert.equal(messageOf('%zz=1'), 'a parameter name: malformed percent-encoding');
    assert.equal(messageOf('limi%t=1'), 'a parameter name: malformed percent-encoding');
  });

  test('with an unprintable or too long name is refused without repeating the name', () => {
    for (const name of ['%22%3Cscript%3E', '%0D%0Ax', 'a'.repeat(33), '%E2%80%AE', '%20']) {
      const [shown] = messageOf(`${name}=1`).split(':');
      assert.equal(shown, '(unprintable)', name);
    }
  });

  test('is named once, and only counted after the tenth, so that the message stays short', () => {
    assert.equal(messageOf('foo=1&foo=2&foo=3').split('foo').length, 2);
    const message = messageOf(Array.from({ length: 1_000 }, (_, number) => `p${number}=1`).join('&'));
    assert.match(message, /^p0: .*; p9: [^;]*; and 990 more unknown parameters; the parameters are limit, /);
    assert(message.length < 1_000);
  });
});

describe('the error message', () => {
  test('names every rule that is broken', () => {
    const queryString =
      'limit=0&status=x&after_id=%20&before_id=b&workspace_id=&created_by_user_id=%zz&statsu=active';
    assert.deepEqual(
      messageOf(queryString).split('; ').toSorted(),
      [
        'after_id, before_id: give one of them, not both',
        'after_id: must be 1 to 255 of A-Z a-z 0-9 _ - . : | / @ ~, and not the word null or undefined',
        'created_by_user_id: malformed percent-encoding',
        LIMIT_RULE,
        'status: must be one of active, inactive, archived',
        'statsu: unknown parameter, did you mean status?',
        KNOWN,
        'workspace_id: must not be empty',
      ].toSorted(),
    );
  });

  test('never repeats a value', () => {
    const secret = 'sk-ven-api03-SECRET';
    for (const name of [...PARAMETERS, 'key']) {
      assert(!messageOf(`${name}=${secret}%20`).includes('SECRET'), name);
    }
  });
});

function refuses(queryString: string, message: string): void {
  assert.equal(messageOf(queryString), message);
}

function messageOf(queryString: string): string {
  try {
    parseListQuery(queryString);
  } catch (error) {
    assert(error instanceof ApiError);
    assert.equal(error.status, 400);
    return error.message;
  }
  assert.fail(`accepted: ${queryString}`);
}
