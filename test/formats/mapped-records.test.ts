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
    const none = { ...RECORD, last_used_at: null, uses: null, is_trial: null, tier: null };
    const given = { last_used_at: '2001-09-09T01:46:40.000000Z', uses: 7, is_trial: true, tier: 'pro' };
    assert.deepEqual(of({ used: null, trial: '', plan: '' }), none);
    const texts = { used: '1000000000', 'uses.count': '7', trial: 'true', plan: 'p' };
    for (const source of [{ used: 1e9, uses: { count: 7 }, trial: true, plan: 'p' }, texts])
      assert.deepEqual(of(source), { ...RECORD, ...given });
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

  test('takes a time in the form that the map names, and no other', () => {
    const of = (time: string, created: unknown) =>
      outcome({ created_at: { from: 'created', time } }, { created });
    for (const [time, value, created_at] of [
      ['postgresql', '2026-11-22 09:00:00.5-03:30', '2026-11-22T12:30:00.500000Z'],
      ['rfc3339', '2026-11-22T09:00:00.123456000Z', '2026-11-22T09:00:00.123456Z'],
      ['seconds', 1730332707, '2024-10-30T23:58:27.000000Z'],
      ['seconds', 0, '1970-01-01T00:00:00.000000Z'],
      ['milliseconds', 1730332707427, '2024-10-30T23:58:27.427000Z'],
      ['milliseconds', '7', '1970-01-01T00:00:00.007000Z'],
    ] as const)
      assert.deepEqual(of(time, value), { ...RECORD, created_at });
    for (const [time, values] of [
      ['postgresql', ['2026-11-22 09:00:00', '2026-11-22T09:00:00Z', '22.11.2026 09:00:00+00', 5]],
      ['seconds', [-1, 1e20, 'now', '', null, true, 253402300800]],
      ['milliseconds', ['2026-11-22', 1e21, {}, [1]]],
    ] as const)
      for (const value of values)
        assert.match(String(of(time, value)), /^created_at: must be [^;,]*(, such as [^,]*)$/, `${value}`);
  });

  test('has a time without its nanoseconds where the map says so, and else they are refused', () => {
    const source = { created: '2026-11-22T09:00:00.123456789Z' };
    const refused = ['created_at: is finer than a microsecond: "nanoseconds": "cut" drops that'];
    assert.deepEqual(outcome({ created_at: { from: 'created', time: 'rfc3339' } }, source), refused);
    assert.deepEqual(outcome({ created_at: { from: 'created', nanoseconds: 'refuse' } }, source), refused);
    assert.deepEqual(outcome({ created_at: { from: 'created', nanoseconds: 'cut' } }, source), RECORD);
  });

  test('has a hint that is masked by a character of the source', () => {
    for (const [mask, hint] of [
      ['*', 'sk-acme-****abcd'],
      ['•', 'sk-acme-•abcd'],
      ['.', 'sk-acme-.....abcd'],
    ] as const)
      assert.deepEqual(outcome({ partial_key_hint: { from: 'hint', mask } }, { hint }), RECORD);
  });

  test('has faults that name the field and the rule, and no value', () => {
    const masked = { partial_key_hint: { from: 'hint', mask: '*' } };
    const refused: [object, object, RegExp][] = [
      [masked, { hint: 'sk-acme-wholesecret' }, /^partial_key_hint: must have one run/],
      [masked, { hint: 'sk*acme*secret' }, /^partial_key_hint: must have one run/],
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
      const forms = { seconds, milliseconds, postgresql, rfc3339: created_at };
      for (const [time, created] of Object.entries(forms)) {
        const record = outcome({ created_at: { from: 'created', time } }, { created });
        assert.deepEqual(record, { ...RECORD, created_at });
      }
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
  const faultsOf = (json: unknown) => {
    const parsed = parseImportMap(json, []);
    return 'faults' in parsed ? parsed.faults.map(({ field, problem }) => `${field}: ${problem}`) : [];
  };

  test('is refused with what it must be, place by place', () => {
    const { id: _, ...others } = FIELDS;
    const refused: [fields: object, fault: string][] = [
      [{ secret: 'x' }, 'secret: unknown field'],
      [{ id: { from: 'x', mask: '*' } }, 'id.mask: unknown field'],
      [
        { created_at: { from: 'x', time: 'iso' } },
        'created_at.time: must be one of rfc3339, postgresql, seconds, milliseconds',
      ],
      [{ created_at: { from: 'x', nanoseconds: 1 } }, 'created_at.nanoseconds: must be cut or refuse'],
      [
        { partial_key_hint: { from: 'x', mask: '**' } },
        'partial_key_hint.mask: must be one character, such as *',
      ],
      [
        { partial_key_hint: { last: 'x' } },
        'partial_key_hint.prefix: is missing: must be the text before the ellipsis',
      ],
      [
        { status: { from: 'x', values: { a: 1 } } },
        "status.values: must be an object: the source's value, and for each the field's, text or null",
      ],
      [{ status: { constant: 1 } }, 'status.constant: must be text or null'],
    ];
    for (const [fields, fault] of refused)
      assert.deepEqual(faultsOf({ fields: { ...FIELDS, ...fields } }), [`fields.${fault}`]);
    assert.deepEqual(faultsOf([]), ['null: must be a JSON object']);
    assert.deepEqual(faultsOf({}), ['fields: is missing: must be an object with a source for each field']);
    assert.deepEqual(faultsOf({ fields: FIELDS, table: 'x' }), ['table: unknown field']);
    for (const id of [5, '', {}, { from: 'a', constant: 'b' }, { last: 'a', prefix: 'b' }])
      assert.match(
        String(faultsOf({ fields: { ...others, id } })),
        /^fields\.id: must be the name of a field, or an object with/,
      );
    assert.equal(faultsOf({ fields: { id: 'x' } }).length, 7);
  });
});
