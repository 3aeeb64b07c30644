import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  checkedRecord,
  checkedRecordWith,
} from '../../../../src/service/postgres/vendor-table/checked-record.ts';
import { renderApiKey } from '../../../../src/service/roster/api-key.ts';
import type { DeclaredField } from '../../../../src/service/roster/declared-fields.ts';
import { parseApiKey } from '../../../../src/service/roster/parse-api-key.ts';
import * as arbitrary from '../../../support/arbitraries.ts';
import { exampleRecord } from '../../../support/example-record.ts';

const ID = exampleRecord.id;
/** As the view renders it: a quote in a value isn't escaped. */
const unchecked = (record: object) => ` ${JSON.stringify(record).replaceAll('\\"', '"')}`;

describe("the record of a row of a vendor's own table", () => {
  test('is the one that we would have rendered, whatever valid API key it is', () => {
    fc.assert(
      fc.property(arbitrary.apiKey(), key => {
        assert.equal(checkedRecord(key.id, ` ${renderApiKey(key)}`), renderApiKey(key));
      }),
    );
  });

  test('of our own table, which constraints have checked, is taken as it is', () => {
    assert.equal(checkedRecord(ID, '{"anything":1}'), '{"anything":1}');
  });

  const SECRET = 'sk-ven-api03-R2Dbg5SECRETigAA';
  for (const [change, rule] of [
    [{ id: 'two words' }, /an API key whose ID breaks its rule: id: must be 1 to 255 of/],
    [
      { id: 'undefined' },
      /an API key whose ID breaks its rule: id: must be .* not the word null or undefined/,
    ],
    [{ name: null }, /: name: must be text of at most 1000 characters/],
    [{ created_at: null }, /: created_at: must be a time of the years 1 to 9999/],
    [{ created_at: '10000-01-01T00:00:00.000000Z' }, /: created_at: must be/],
    [{ created_by: { id: null, type: 'user' } }, /: created_by.id: must be 1 to 255/],
    [
      { created_by: { id: 'user_1', type: 'robot' } },
      /: created_by.type: must be one of user, service_account/,
    ],
    [{ partial_key_hint: SECRET }, /: partial_key_hint: must be masked/],
    [{ partial_key_hint: 'sk-...\u0001' }, /: partial_key_hint: must be masked/],
    [{ status: null }, /: status: must be one of active, inactive, archived/],
    [{ workspace_id: 'ä' }, /: workspace_id: must be 1 to 255/],
    [{ workspace_id: 'x","SECRET":"' }, /: workspace_id: must be 1 to 255/],
    [{ SECRET }, /: workspace_id: must be 1 to 255/],
  ] as const)
    test(`is refused with the API key and the rule, never the value: ${JSON.stringify(change)}`, () => {
      const record = { ...exampleRecord, ...change };
      assert.throws(
        () => checkedRecord(record.id, unchecked(record)),
        ({ message }: Error) => rule.test(message) && !/SECRET/.test(message),
      );
      assert('faults' in parseApiKey(record));
    });

  test('is refused with what to do when the view is that of another release', () => {
    const { id, ...others } = exampleRecord;
    assert.throws(
      () => checkedRecord(id, unchecked({ ...others, id })),
      /the view was made by another release/,
    );
  });

  const fields: readonly DeclaredField[] = [
    { number: 1, name: 'expires_at', type: { kind: 'timestamp' } },
    { number: 2, name: 'uses', type: { kind: 'integer' } },
    { number: 3, name: 'plan', type: { kind: 'one-of', values: ['free'] } },
    { number: 4, name: 'region', type: { kind: 'text', max_length: 3 } },
  ];
  test('has its declared fields after the others, and NULL where they are', () => {
    const record = JSON.parse(
      checkedRecordWith(ID, unchecked(exampleRecord), fields, ['0', '-7', 'free', null]),
    );
    const values = { expires_at: '1970-01-01T00:00:00.000000Z', uses: -7, plan: 'free', region: null };
    assert.deepEqual(record, { ...exampleRecord, ...values });
    assert.deepEqual(Object.keys(record).slice(-4), Object.keys(values));
  });

  const NONE = [null, null, null, null];
  for (const [index, text, rule] of [
    [0, '253402300800000000', "must be a time of the years 0 to 9999, or NULL; infinity isn't one"],
    [0, '-62167219200000001', 'must be a time of the years 0 to 9999'],
    [1, '9007199254740992', 'must be a whole number from -9007199254740991 to'],
    [2, 'SECRET', 'must be one of free, or null'],
    [3, 'SECRET', 'must be text of 1 to 3 characters'],
  ] as const)
    test(`is refused with the API key, the declared field and the rule, never the value: ${fields[index]?.name} of ${text}`, () =>
      assert.throws(
        () => checkedRecordWith(ID, unchecked(exampleRecord), fields, NONE.with(index, text as never)),
        ({ message }: Error) =>
          message.startsWith(`the vendor's table: the API key ${ID}: ${fields[index]?.name}: ${rule}`) &&
          !/SECRET|\d{17}/.test(message),
      ));

  test('can not be made to look valid by what stands in an ID', () => {
    const texts = fc.array(
      fc.constantFrom('"', ',', ':', '{', '}', '"type":"api_key"', '"name":', 'a', '\\', ' '),
    );
    fc.assert(
      fc.property(texts, parts => {
        const text = parts.join('');
        const valid = /^[A-Za-z0-9_.:|/@~-]{1,255}$/.test(text);
        const record = unchecked(exampleRecord).replace(ID, text);
        if (valid) checkedRecord(text, record);
        else assert.throws(() => checkedRecord(text, record));
      }),
      { numRuns: 2_000 },
    );
  });
});
