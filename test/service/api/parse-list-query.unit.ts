import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError } from '../../../src/service/api/errors.ts';
import { parseListQuery } from '../../../src/service/api/parse-list-query.ts';

const LIMIT_RULE = 'limit: must be a whole number from 1 to 1000';
const ID_PARAMETERS = ['after_id', 'before_id', 'workspace_id', 'created_by_user_id'];
const PARAMETERS = ['limit', ...ID_PARAMETERS, 'status'];

describe('a query string that follows the rules', () => {
  const nothing = { limit: 20, cursor: null, filter: {} };
  const accepted: Record<string, object> = {
    '': nothing,
    '&': nothing,
    'limit=1': { ...nothing, limit: 1 },
    'limit=1000': { ...nothing, limit: 1000 },
    '&limit=7&': { ...nothing, limit: 7 },
    'l%69mit=%31%30': { ...nothing, limit: 10 },
    'after_id=k': { ...nothing, cursor: { direction: 'after', id: 'k' } },
    'before_id=A-z_09': { ...nothing, cursor: { direction: 'before', id: 'A-z_09' } },
    [`after_id=${'k'.repeat(128)}`]: { ...nothing, cursor: { direction: 'after', id: 'k'.repeat(128) } },
    'status=active': { ...nothing, filter: { status: 'active' } },
    'workspace_id=wrkspc_1': { ...nothing, filter: { workspaceId: 'wrkspc_1' } },
    'created_by_user_id=user_1': { ...nothing, filter: { creatorId: 'user_1' } },
    'beta=true': nothing,
    'beta=true&beta=false&limit=3': { ...nothing, limit: 3 },
  };
  for (const [queryString, query] of Object.entries(accepted)) {
    test(`is accepted: "${shortened(queryString)}"`, () =>
      assert.deepEqual(parseListQuery(queryString), query));
  }

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
  for (const limit of [...limits, '9'.repeat(400), '9007199254740993'])
    test(`limit=${shortened(limit)} is refused`, () => refuses(`limit=${limit}`, LIMIT_RULE));

  test('an ID of other characters, or of too many, is refused', () => {
    for (const name of ID_PARAMETERS)
      for (const value of ['%20', 'a+b', 'a.b', 'a%00', 'a%0A', '%C3%A9', '..%2F', 'k'.repeat(129)])
        refuses(`${name}=${value}`, `${name}: must be 1 to 128 of A-Z a-z 0-9 _ -`);
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
    refuses('workspace_id=expired%20', 'workspace_id: must be 1 to 128 of A-Z a-z 0-9 _ -');
  });

  for (const name of PARAMETERS) {
    test(`${name} is refused when it is empty, with or without "="`, () => {
      refuses(`${name}=`, `${name}: must not be empty`);
      refuses(name, `${name}: must not be empty`);
    });

    test(`${name} is refused for its encoding`, () => {
      for (const value of ['%', '%zz', 'a%', '%C3', '%ff', '%ED%A0%80'])
        refuses(`${name}=${value}`, `${name}: malformed percent-encoding`);
    });

    test(`${name} is refused when given twice, even with the same value or with its name encoded differently`, () => {
      const value = name === 'limit' ? '5' : 'active';
      const twice = `${name}: given more than once`;
      refuses(`${name}=${value}&${name}=${value}`, twice);
      refuses(`${name}=${value}&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=${value}`, twice);
    });
  }

  test('after_id and before_id together are refused', () => {
    refuses('after_id=a&before_id=b', 'after_id, before_id: give one of them, not both');
    refuses('before_id=a&after_id=a', 'after_id, before_id: give one of them, not both');
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
        'after_id: must be 1 to 128 of A-Z a-z 0-9 _ -',
        'created_by_user_id: malformed percent-encoding',
        LIMIT_RULE,
        'status: must be one of active, inactive, archived',
        'statsu: unknown parameter, did you mean status?',
        'workspace_id: must not be empty',
      ].toSorted(),
    );
  });

  test('says that a parameter is given twice, even when one of the two is badly encoded', () => {
    for (const queryString of ['limit=%zz&limit=5', 'limit=5&limit=%zz']) {
      assert.match(messageOf(queryString), /limit: given more than once/, queryString);
      assert.match(messageOf(queryString), /limit: malformed percent-encoding/, queryString);
    }
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

function shortened(text: string): string {
  return text.length < 40 ? text : `${text.slice(0, 20)}… (${text.length} characters)`;
}
