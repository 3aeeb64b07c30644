import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { renderApiKey, renderContractRecord } from '../../../src/service/roster/api-key.ts';
import { type DeclaredField, withDeclared } from '../../../src/service/roster/declared-fields.ts';
import { parseApiKey } from '../../../src/service/roster/parse-api-key.ts';
import { fieldNameProblem, newTypes } from '../../../src/service/roster/writes/new-field.ts';
import { apiKey } from '../../support/arbitraries.ts';
import { declaredFields, withDeclaredValues } from '../../support/declared-values.ts';
import { exampleRecord as example } from '../../support/example-record.ts';
import { VENDOR } from '../../support/roster.ts';

const fields: readonly DeclaredField[] = [
  { number: 2, name: 'last_used_at', type: { kind: 'timestamp' } },
  { number: 5, name: 'calls', type: { kind: 'integer' } },
  { number: 6, name: 'rotates', type: { kind: 'boolean' } },
  { number: 7, name: 'tier', type: { kind: 'one-of', values: ['free', 'paid'] } },
  { number: 9, name: 'note', type: { kind: 'text', max_length: 5 } },
];

const faultsOf = (change: object) => {
  const parsed = parseApiKey({ ...example, ...change }, fields);
  return 'faults' in parsed ? parsed.faults.map(({ field }) => field) : [];
};

describe('a record with declared fields', () => {
  test('has them after those of the contract, in the order of their numbers, its times as created_at is', () => {
    const before = { note: 'émoji', calls: -3, tier: 'paid' };
    const after = { rotates: false, last_used_at: '2026-01-02t03:04:05+01:00' };
    const parsed = parseApiKey({ ...before, ...example, ...after }, fields);
    assert('key' in parsed);
    const last_used_at = '2026-01-02T02:04:05.000000Z';
    const rest = { last_used_at, calls: -3, rotates: false, tier: 'paid', note: 'émoji' };
    assert.equal(renderApiKey(parsed.key), JSON.stringify({ ...example, ...rest }));
  });

  test('is the same after rendering and parsing, for any fields and values', () => {
    const any = declaredFields.chain(declared =>
      withDeclaredValues(apiKey(), declared).map(key => ({ declared, key })),
    );
    const property = fc.property(any, ({ declared, key }) => {
      const parsed = parseApiKey(JSON.parse(renderApiKey(key)), declared);
      // A generated hint may happen to mask a generated ID, which is rightly refused.
      if ('faults' in parsed) assert.match(parsed.faults[0]?.problem ?? '', /contains the key/);
      else assert.deepEqual(parsed.key, key);
    });
    fc.assert(property);
  });

  test('is the record of the contract with the rest put after it', () => {
    const property = fc.property(withDeclaredValues(apiKey(), fields), key => {
      const values = new Map(key.declared?.map(({ field, value }) => [field.number, value]));
      const rendered = withDeclared(
        renderContractRecord(key),
        fields,
        ({ number }) => values.get(number) ?? null,
      );
      assert.equal(rendered, renderApiKey(key));
    });
    fc.assert(property);
  });

  const refused: [change: object, field: string][] = [
    [{ last_used_at: 'yesterday' }, 'last_used_at'],
    [{ calls: 1.5 }, 'calls'],
    [{ calls: 2 ** 53 }, 'calls'],
    [{ rotates: 'true' }, 'rotates'],
    [{ note: '' }, 'note'],
    [{ note: 'longer' }, 'note'],
    [{ note: '\ud800' }, 'note'],
    [{ expires_at: null }, 'expires_at'],
  ];
  test('is refused for a value that is not of the type of its field', () => {
    for (const [change, field] of refused) assert.deepEqual(faultsOf(change), [field]);
  });

  test('is refused for an admin key or the masked key in a text', () => {
    const longer: DeclaredField = { number: 1, name: 'note', type: { kind: 'text', max_length: 200 } };
    const key = `sk-ven-api03-R2D${'x7'.repeat(20)}igAA`;
    for (const note of [AdminKeySecret.issue(VENDOR).reveal(), `old: ${key}`]) {
      const parsed = parseApiKey({ ...example, note }, [longer]);
      assert('faults' in parsed);
      assert.equal(parsed.faults.map(({ field }) => field).join(), 'note');
      assert(!JSON.stringify(parsed).includes(note));
    }
  });
});

/** Names that are separated by blanks. */
const names = (text: string) => text.split(' ');

describe('the name of a declared field', () => {
  test('may be a word of lower case, also one in which "key" has another meaning', () => {
    for (const name of names('last_used_at expires_at tier monkey keyboard rate_limit a order x2'))
      assert.equal(fieldNameProblem(name), null, name);
  });

  test("can't be one that means key material", () => {
    const key = 'key api_key keys key_count apikey key2 secret client_secrets mysecret token';
    const hash = 'hash key_hash hashed keyhash sha256 password passwd digests credential private';
    for (const name of names(`${key} ${hash}`))
      assert.match(fieldNameProblem(name) ?? '', /means a key/, name);
  });

  test("can't be that of another field or column, or none", () => {
    const taken = 'id name type created_by workspace_id organization_id record import ctid declared';
    const none = ['', 'A', '1a', '_a', 'a-b', 'a.b', 'é', 'a'.repeat(64), 'constructor'];
    for (const name of [...names(taken), ...none])
      assert.match(fieldNameProblem(name) ?? '', /must be 1 to 63/, name);
  });
});

describe('the type of a declared field', () => {
  const { 'one-of': oneOf, text } = newTypes;
  test('is one of different texts, none of which looks like a key', () => {
    assert.deepEqual(oneOf.make({ values: ['a', 'b'] }), { kind: 'one-of', values: ['a', 'b'] });
    const tooMany = Array.from({ length: 51 }, String);
    for (const values of [[], [''], ['a', 'a'], ['sk_live_4eC39HqLyjWDarjtT1zdp7dc'], tooMany])
      assert.equal(oneOf.make({ values }), undefined);
  });

  test('is text with a longest length', () => {
    for (const maxLength of [1, 200])
      assert.deepEqual(text.make({ maxLength }), { kind: 'text', max_length: maxLength });
    for (const maxLength of [undefined, 0, 201, 1.5, Number.NaN])
      assert.equal(text.make({ maxLength }), undefined);
  });
});
