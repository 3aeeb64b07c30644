import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseImportMap } from '../../src/formats/import-map.ts';
import { readJsonLines } from '../../src/formats/json-lines.ts';
import { MappedRecords } from '../../src/formats/mapped-records.ts';
import { readCsv } from '../../src/formats/read-csv.ts';
import { decodeUtf8 } from '../../src/formats/text.ts';
import { recordOf } from '../../src/roster/api-key-record.ts';
import type { DeclaredField } from '../../src/roster/declared-fields.ts';
import type { OrganizationId } from '../../src/roster/identifier.ts';
import { formatTimestamp, type Timestamp } from '../../src/roster/timestamp.ts';
import { chunksOf, linesOf } from '../support/chunks.ts';
import { blocksIn } from '../support/doc-blocks.ts';

const ORGANIZATION = { id: 'org_1' as OrganizationId };
const FIELDS = {
  id: 'key_id',
  name: 'label',
  created_at: { from: 'created', time: 'postgresql' },
  'created_by.id': 'owner.id',
  'created_by.type': { constant: 'user' },
  partial_key_hint: { prefix: 'sk-acme-', last: 'last4' },
  status: { from: 'enabled', values: { true: 'active', false: 'archived' } },
  workspace_id: { constant: null },
};
const SOURCE = {
  key_id: 17,
  label: 'Billing',
  created: '2026-11-22 09:00:00.123456+00',
  owner: { id: 'user_a' },
  last4: 'abcd',
  enabled: true,
  secret: 'not read',
};
const RECORD = {
  id: '17',
  type: 'api_key',
  name: 'Billing',
  created_at: '2026-11-22T09:00:00.123456Z',
  created_by: { id: 'user_a', type: 'user' },
  partial_key_hint: 'sk-acme-...abcd',
  status: 'active',
  workspace_id: null,
};

function mapped(fields: object = {}, declared: readonly DeclaredField[] = []): MappedRecords {
  const parsed = parseImportMap({ fields: { ...FIELDS, ...fields } }, declared);
  return new MappedRecords(
    'map' in parsed ? parsed.map : assert.fail(JSON.stringify(parsed.faults)),
    declared,
  );
}

/** What becomes of a source with this map: the record, or its faults. */
function outcome(fields: object = {}, source: object = {}) {
  const parsed = mapped(fields).parse({ ...SOURCE, ...source });
  return 'key' in parsed
    ? recordOf(parsed.key)
    : parsed.faults.map(({ field, problem }) => `${field}: ${problem}`);
}

describe('a mapped record', () => {
  test('has declared fields where the map names them, and null where the source has none', () => {
    const declared: DeclaredField[] = [
      { number: 1, name: 'last_used_at', type: { kind: 'timestamp' } },
      { number: 2, name: 'uses', type: { kind: 'integer' } },
      { number: 3, name: 'is_trial', type: { kind: 'boolean' } },
      { number: 4, name: 'tier', type: { kind: 'one-of', values: ['free', 'pro'] } },
    ];
    const fields = {
      last_used_at: { from: 'used', time: 'seconds' },
      uses: 'uses.count',
      is_trial: 'trial',
      tier: { from: 'plan', values: { p: 'pro' } },
    };
    const of = (source: object) => {
      const parsed = mapped(fields, declared).parse({ ...SOURCE, ...source });
      return 'key' in parsed ? recordOf(parsed.key) : parsed.faults;
    };
    const none = { last_used_at: null, uses: null, is_trial: null, tier: null };
    const given = { last_used_at: '2001-09-09T01:46:40.000000Z', uses: 7, is_trial: true, tier: 'pro' };
    assert.deepEqual(of({}), { ...RECORD, ...none });
    assert.deepEqual(of({ used: null, uses: null, trial: '', plan: '' }), { ...RECORD, ...none });
    assert.deepEqual(of({ used: 1e9, uses: { count: 7 }, trial: true, plan: 'p' }), { ...RECORD, ...given });
    assert.deepEqual(of({ used: '1000000000', 'uses.count': '7', trial: 'true', plan: 'p' }), {
      ...RECORD,
      ...given,
    });
    assert.deepEqual(of({ plan: 'x' }), [{ field: 'tier', problem: 'is none of the values of the map' }]);
  });

  test('has other names, and what the map does not name is not read', () => {
    assert.deepEqual(outcome(), RECORD);
    assert.deepEqual(outcome({}, { enabled: false }), { ...RECORD, status: 'archived' });
    assert.deepEqual(outcome({ 'created_by.id': { constant: 'svc_1' } }), {
      ...RECORD,
      created_by: { id: 'svc_1', type: 'user' },
    });
  });

  for (const [time, value, expected] of [
    ['postgresql', '2026-11-22 09:00:00+00', '2026-11-22T09:00:00.000000Z'],
    ['postgresql', '2026-11-22 09:00:00.5-03:30', '2026-11-22T12:30:00.500000Z'],
    ['rfc3339', '2026-11-22T09:00:00.123456000Z', '2026-11-22T09:00:00.123456Z'],
    ['seconds', 1730332707, '2024-10-30T23:58:27.000000Z'],
    ['seconds', '1730332707.427722', '2024-10-30T23:58:27.427722Z'],
    ['seconds', 0, '1970-01-01T00:00:00.000000Z'],
    ['milliseconds', 1730332707427, '2024-10-30T23:58:27.427000Z'],
    ['milliseconds', '7', '1970-01-01T00:00:00.007000Z'],
    ['milliseconds', '1730332707427.722', '2024-10-30T23:58:27.427722Z'],
  ] as const) {
    test(`takes a time in the form ${time} such as ${value}`, () => {
      const created_at = { from: 'created', time };
      assert.deepEqual(outcome({ created_at }, { created: value }), { ...RECORD, created_at: expected });
    });
  }

  for (const [time, values] of [
    ['postgresql', ['2026-11-22 09:00:00', '2026-11-22T09:00:00Z', '22.11.2026 09:00:00+00', 5]],
    ['seconds', [-1, 1e20, 'now', '', null, true, 253402300800]],
    ['milliseconds', ['2026-11-22', 1e21, {}, [1]]],
  ] as const) {
    for (const value of values) {
      test(`${JSON.stringify(value)} isn't a time in the form ${time}`, () => {
        const faults = outcome({ created_at: { from: 'created', time } }, { created: value });
        assert.match(String(faults), /^created_at: must be [^;,]*(, such as [^,]*)$/);
      });
    }
  }

  test('has a time without its nanoseconds where the map says so, and else they are refused', () => {
    const source = { created: '2026-11-22T09:00:00.123456789Z' };
    const refused = ['created_at: is finer than a microsecond: "nanoseconds": "cut" drops that'];
    assert.deepEqual(outcome({ created_at: { from: 'created', time: 'rfc3339' } }, source), refused);
    assert.deepEqual(outcome({ created_at: { from: 'created', nanoseconds: 'refuse' } }, source), refused);
    assert.deepEqual(outcome({ created_at: { from: 'created', nanoseconds: 'cut' } }, source), RECORD);
  });

  for (const [mask, value, expected] of [
    ['*', 'sk-acme-****abcd', 'sk-acme-...abcd'],
    ['•', 'sk-acme-•abcd', 'sk-acme-...abcd'],
    ['…', 'sk-acme-…abcd', 'sk-acme-...abcd'],
    ['.', 'sk-acme-.....abcd', 'sk-acme-...abcd'],
  ] as const) {
    test(`has the hint ${expected} for ${value} masked by ${mask}`, () => {
      const outcomeOf = outcome({ partial_key_hint: { from: 'hint', mask } }, { hint: value });
      assert.deepEqual(outcomeOf, { ...RECORD, partial_key_hint: expected });
    });
  }

  test('has faults that name the field and the rule, and no value', () => {
    const refused: [object, object, RegExp][] = [
      [
        { partial_key_hint: { from: 'hint', mask: '*' } },
        { hint: 'sk-acme-wholesecret' },
        /^partial_key_hint: must have one run/,
      ],
      [
        { partial_key_hint: { from: 'hint', mask: '*' } },
        { hint: 'sk*acme*secret' },
        /^partial_key_hint: must have one run/,
      ],
      [{}, { last4: 'wholesecret' }, /^partial_key_hint: must be masked/],
      [{}, { enabled: 'secret' }, /^status: is none of the values of the map$/],
      [{}, { key_id: undefined }, /^id: the source has no key_id$/],
      [{}, { owner: 'secret' }, /^created_by.id: the source has no owner.id$/],
      [{}, { label: 'sk-acme-0123456789secretabcd' }, /^name: contains the key that partial_key_hint masks$/],
      [{}, { key_id: 2 ** 60 }, /^id: must be 1 to 128 of/],
    ];
    for (const [fields, source, message] of refused) {
      const faults = outcome(fields, source);
      assert(Array.isArray(faults) && faults.length === 1, JSON.stringify(faults));
      assert.match(faults[0] ?? '', message);
      assert.doesNotMatch(faults[0] ?? '', /secret/);
    }
    assert.equal((outcome({}, { enabled: 1, key_id: '', created: 'x' }) as string[]).length, 3);
  });

  test('any time of 1970 to 9999 is the same in each form', () => {
    const microseconds = fc.bigInt({ min: 0n, max: 253_402_300_799_999_999n });
    const property = fc.property(microseconds, at => {
      const created_at = formatTimestamp(at as Timestamp);
      const seconds = `${at / 1_000_000n}.${String(at % 1_000_000n).padStart(6, '0')}`;
      const milliseconds = `${at / 1_000n}.${String(at % 1_000n).padStart(3, '0')}`;
      const postgresql = created_at.replace('T', ' ').replace('Z', '+00');
      for (const [time, created] of Object.entries({
        seconds,
        milliseconds,
        postgresql,
        rfc3339: created_at,
      }))
        assert.deepEqual(outcome({ created_at: { from: 'created', time } }, { created }), {
          ...RECORD,
          created_at,
        });
    });
    fc.assert(property);
  });
});

describe('a file that is read by a map', () => {
  const lines = `${JSON.stringify(SOURCE)}\n${JSON.stringify({ ...SOURCE, key_id: 18 })}\n`;

  test('may be JSON Lines or CSV, where a name is a column', async () => {
    const csv =
      'secret,key_id,label,created,owner.id,last4,enabled,team\nx,17,Billing,2026-11-22 09:00:00.123456+00,user_a,abcd,true,\n';
    const keys = [
      ...(await linesOf(readJsonLines(chunksOf(lines), ORGANIZATION, { map: mapped() }))),
      ...(await linesOf(
        readCsv(decodeUtf8(chunksOf(csv)), ORGANIZATION, { map: mapped({ workspace_id: 'team' }) }),
      )),
    ].map(line => ('key' in line ? recordOf(line.key) : line.faults));
    assert.deepEqual(keys, [RECORD, { ...RECORD, id: '18' }, RECORD]);
  });

  test('is refused where a name of the map is in no line', async () => {
    const map = () => mapped({ name: 'labell' });
    await assert.rejects(linesOf(readJsonLines(chunksOf(lines), ORGANIZATION, { map: map() })), {
      name: 'Refused',
      message: 'map: fields.name: no line has labell',
    });
    assert.deepEqual(await linesOf(readJsonLines(chunksOf(''), ORGANIZATION, { map: map() })), []);
  });

  test('is refused as CSV without a column of the map, or with one twice', async () => {
    const header = 'key_id,label,label,created,owner.id,last4\n';
    await assert.rejects(linesOf(readCsv(decodeUtf8(chunksOf(header)), ORGANIZATION, { map: mapped() })), {
      message:
        'line 1: duplicate column label, which is to be name; there is no column enabled, which is to be status',
    });
  });
});

test('a record is read by the map in the docs', () => {
  const block = blocksIn('docs/operations.md').find(({ text }) => text.startsWith('{\n  "fields"'));
  const parsed = parseImportMap(JSON.parse(block?.text ?? ''), []);
  assert('map' in parsed);
  const read = new MappedRecords(parsed.map, []).parse({ ...SOURCE, details: { label: 'Billing' } });
  const creator = { id: 'svc_billing', type: 'service_account' };
  assert.deepEqual('key' in read && recordOf(read.key), { ...RECORD, created_by: creator });
});

describe('a map', () => {
  for (const [what, json, faults] of [
    ['no object', [], ['null: must be a JSON object']],
    ['no fields', {}, ['fields: is missing: must be an object with a source for each field']],
    ['an unknown member', { fields: FIELDS, table: 'x' }, ['table: unknown field']],
    ['an unknown field', { fields: { ...FIELDS, secret: 'x' } }, ['fields.secret: unknown field']],
    [
      'a member of another field',
      { fields: { ...FIELDS, id: { from: 'x', mask: '*' } } },
      ['fields.id.mask: unknown field'],
    ],
    [
      'an unknown form',
      { fields: { ...FIELDS, created_at: { from: 'x', time: 'iso' } } },
      ['fields.created_at.time: must be one of rfc3339, postgresql, seconds, milliseconds'],
    ],
    [
      'a wrong choice',
      { fields: { ...FIELDS, created_at: { from: 'x', nanoseconds: 1 } } },
      ['fields.created_at.nanoseconds: must be cut or refuse'],
    ],
    [
      'a mask of several characters',
      { fields: { ...FIELDS, partial_key_hint: { from: 'x', mask: '**' } } },
      ['fields.partial_key_hint.mask: must be one character, such as *'],
    ],
    [
      'a prefix and no last',
      { fields: { ...FIELDS, partial_key_hint: { last: 'x' } } },
      ['fields.partial_key_hint.prefix: is missing: must be the text before the ellipsis'],
    ],
    [
      'values that are no text',
      { fields: { ...FIELDS, status: { from: 'x', values: { a: 1 } } } },
      ["fields.status.values: must be an object: the source's value, and for each the field's, text or null"],
    ],
    [
      'a constant that is no text',
      { fields: { ...FIELDS, status: { constant: 1 } } },
      ['fields.status.constant: must be text or null'],
    ],
  ] as const) {
    test(`with ${what} is refused`, () => {
      const parsed = parseImportMap(json, []);
      assert('faults' in parsed);
      assert.deepEqual(
        parsed.faults.map(({ field, problem }) => `${field}: ${problem}`),
        faults,
      );
    });
  }

  test('needs one source for each field', () => {
    for (const id of [5, '', {}, { from: 'a', constant: 'b' }, { last: 'a', prefix: 'b' }]) {
      const parsed = parseImportMap({ fields: { ...FIELDS, id } }, []);
      assert(
        'faults' in parsed &&
          parsed.faults[0]?.problem.startsWith('must be the name of a field, or an object with'),
      );
    }
    const parsed = parseImportMap({ fields: { id: 'x' } }, []);
    assert('faults' in parsed && parsed.faults.length === 7);
  });
});
