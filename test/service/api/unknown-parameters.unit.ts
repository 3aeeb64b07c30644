import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseListQuery } from '../../../src/service/api/parse-list-query.ts';

describe('an unknown parameter', () => {
  const typos = {
    statsu: 'status',
    Status: 'status',
    state: 'status',
    lmit: 'limit',
    workspaceId: 'workspace_id',
    'workspace_id[]': 'workspace_id',
    created_by: 'created_by_user_id',
    after: 'after_id',
    created_after: 'created_from or created_before',
    'created_at[lt]': 'created_from or created_before',
  };
  test('is refused, and the nearest one is suggested', () => {
    for (const [name, known] of Object.entries(typos))
      assert.equal(messageOf(`${name}=active`), `${name}: unknown parameter, did you mean ${known}?`);
    for (const name of ['Beta', 'beta%20', '__proto__', 'constructor', 'x'])
      assert.match(messageOf(`${name}=1`), /: unknown parameter, did you mean /);
  });

  test('is refused without a name, without a value, and beside known parameters', () => {
    for (const queryString of ['=', '=active', 'foo', 'limit=5&foo=1', '?limit=5', 'limit=5#'])
      assert.notEqual(messageOf(queryString), '', queryString);
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

  test('is named once, however often it is given', () => {
    assert.equal(messageOf('foo=1&foo=2&foo=3').split('foo').length, 2);
  });

  test('is only counted after the tenth, so that the message stays short', () => {
    const message = messageOf(Array.from({ length: 1_000 }, (_, number) => `p${number}=1`).join('&'));
    assert.match(message, /^p0: .*; p9: [^;]*; and 990 more unknown parameters$/);
    assert(message.length < 1_000);
  });
});

function messageOf(queryString: string): string {
  try {
    parseListQuery(queryString);
  } catch (error) {
    return (error as Error).message;
  }
  assert.fail(`accepted: ${queryString}`);
}
