import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { questionOf } from '../../../src/admin/find/question.ts';
import { knownOf } from '../../../src/admin/find/roster-forms.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';

const ID = 'apikey_01Rj2N8SVvo6BePZj99NhmiT';
const OTHER_ID = 'apikey_7Q9vbNNm4KwFhUtPpz31AbCd';
const creators: readonly ApiKeyRecord['created_by'][] = [
  { id: 'user_01WCz1FkmYMm4gnmykNKUu3Q', type: 'user' },
  { id: 'svcacct_017gpkz2fbdCpmTJXGEcVNGq', type: 'service_account' },
];
const sample = (ids: readonly string[], hints: readonly string[]) =>
  knownOf(
    ids.map((id, index) => ({
      id,
      partial_key_hint: hints[index % hints.length] ?? 'sk-ven-api03-R2D...igAA',
      created_by: creators[index % creators.length] ?? { id: 'someone', type: 'user' },
      workspace_id: index === 0 ? 'wrkspc_01JwQvzr7rXLA5AGx3HKfFUJ' : null,
    })),
  );
const labelled = sample([ID, 'apikey_01Xj2N8SVvo6BePZj99Nhmzz'], ['sk-ven-api03-R2D...igAA']);
const uuids = sample(
  ['0b8bd1b0-1f0e-4b8e-8d4c-0f6f3b0a3f11', 'f3b0a3f1-1f0e-4b8e-8d4c-0f6f3b0a3f22'],
  ['sk-ven-api03-R2D...igAA'],
);
const sameLabel = sample(['key_abcdefghijklmnopqrs1', 'key_zbcdefghijklmnopqrs2'], ['key_Ab1...wxyz']);
const nothing = knownOf([]);

const alphabets = {
  base62: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  base64url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  hex: '0123456789abcdef',
};
const random = (alphabet: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });

describe('an ID', () => {
  test('is one when it begins as all IDs of the roster and is as long', () => {
    assert.deepEqual(questionOf(` ${OTHER_ID}\n`, labelled), { kind: 'text', text: OTHER_ID });
    const inText = questionOf(`A=${OTHER_ID}`, labelled);
    assert.equal(inText?.kind === 'key' && inText.masks[0]?.id, OTHER_ID);
  });

  const unsure: [text: string, known: typeof labelled, why: string][] = [
    [OTHER_ID, nothing, 'nothing is known of the roster'],
    [`${OTHER_ID}x`, labelled, 'it is longer than any of the sample'],
    ['apikey_short', labelled, 'it is shorter'],
    ['apikey_01Rj2N8SVvo6BePZj99Nhmiä', labelled, 'it is malformed'],
    ['0b8bd1b0-1f0e-4b8e-8d4c-0f6f3b0a3f11', uuids, 'IDs of the roster are UUIDs, as some keys are'],
    ['key_abcdefghijklmnopqrs3', sameLabel, 'keys begin as IDs do'],
    ['12345', sample(['12345', '99887'], ['sk-a...igAA']), 'IDs are numbers'],
    [
      `sk_live_${'a1B2'.repeat(6)}`,
      sample([`sk_live_${'b1C2'.repeat(6)}`], ['x...y']),
      'it is labelled as a key',
    ],
  ];
  for (const [text, known, why] of unsure)
    test(`is not taken for one when ${why}`, () => {
      const question = questionOf(`A=${text}`, known);
      assert(question?.kind !== 'key' || question.masks.every(({ id }) => id === undefined));
    });

  test('that is a UUID or a number is looked for as it is', () => {
    for (const text of ['0b8bd1b0-1f0e-4b8e-8d4c-0f6f3b0a3f99', '12345'])
      assert.deepEqual(questionOf(text, uuids), { kind: 'text', text });
  });
});

describe('an ID of a creator or a workspace', () => {
  test('is no key where it is like those that records have', () => {
    for (const like of ['user_', 'svcacct_', 'wrkspc_'].map(label => `${label}01uWAr3fivZyBp1w04vQuwdk`))
      assert.deepEqual(questionOf(like, labelled), { kind: 'text', text: like });
  });

  test('is no key where people sign in by others, whose IDs have other begins', () => {
    const people = [
      'auth0|6507f2a1c3d4e5f60718293a',
      'google-oauth2|104938274650192837465',
      'arn:aws:iam::123456789012:user/ana',
    ];
    const known = knownOf(
      people.map(id => ({
        id: ID,
        partial_key_hint: 'sk-ven...igAA',
        created_by: { id, type: 'user' },
        workspace_id: null,
      })),
    );
    const others = ['auth0|7718a3b2d4e5f60718293b0c', 'google-oauth2|204938274650192837469'];
    for (const text of [...people, ...others])
      assert.deepEqual(questionOf(text, known), { kind: 'text', text });
    assert.equal(questionOf('auth0|sk_live_a1B2a1B2a1B2a1B2a1B', known)?.kind, 'key');
  });

  test('is taken for a key where nothing or something else is known', () => {
    const text = 'user_01uWAr3fivZyBp1w04vQuwdk';
    const asKey = sample([ID], ['user_01W...KUu3']);
    assert.equal(questionOf(text, nothing)?.kind, 'key');
    assert.equal(questionOf(`${text}x`, labelled)?.kind, 'key', 'it is longer than any of the sample');
    assert.equal(questionOf(text, asKey)?.kind, 'key', 'keys begin as IDs of creators do');
  });
});

test('no text that begins as a hint of the roster does is an ID of a key or a creator', () => {
  fc.assert(
    fc.property(random(alphabets.base62, 24), random(alphabets.base62, 3), (body, shown) => {
      for (const label of ['key_', 'user_']) {
        const ids = [`${label}${body}`, `${label}${body.split('').reverse().join('')}`];
        const question = questionOf(
          `${label}${shown}${body.slice(3)}`,
          sample(label === 'key_' ? ids : [ID], [`${label}${shown}...wxyz`]),
        );
        assert.equal(question?.kind, 'key');
      }
    }),
  );
});

describe('a full key', () => {
  const keys: [name: string, key: fc.Arbitrary<string>][] = [
    ['of the roster', random(alphabets.base64url, 60).map(text => `sk-ven-api03-R2D${text}igAA`)],
    ['that is short', random(alphabets.base62, 16).map(text => `sk-ven-api03-a1${text}`)],
    ['of another vendor', random(alphabets.base62, 24).map(text => `sk_live_0${text}`)],
    ['without a label', random(alphabets.base62, 40).map(text => `a0${text}`)],
    ['of 64 hex digits', random(alphabets.hex, 64)],
    ['of 48 hex digits', random(alphabets.hex, 46).map(text => `a0${text}`)],
    ['that is a UUID', fc.uuid()],
    ['that is a JWT', random(alphabets.base64url, 86).map(text => `eyJhbGciOiJIUzI1NiJ9.e30.${text}1`)],
    ['that is an admin key', random(alphabets.base62, 49).map(text => `vendor-admin01-${text}`)],
  ];
  const around: [name: string, put: (key: string) => string][] = [
    ['alone', key => key],
    ['in quotes', key => `"${key}"`],
    ['in a line of an environment', key => `export API_KEY='${key}'`],
    ['in a header', key => `Authorization: Bearer ${key}`],
    ['in a URL', key => `https://api.example.com/v1/things?key=${key}&page=2`],
    ['in a path of a URL', key => `https://api.example.com/${key}/things`],
    ['in JSON', key => JSON.stringify({ name: 'Production', key })],
    ['in a sentence', key => `My key is ${key}, and it leaked.`],
  ];
  for (const [name, key] of keys)
    test(`${name} is found wherever it stands, and nothing but its mask is kept`, () => {
      fc.assert(
        fc.property(key, fc.constantFrom(...around), (secret, [, put]) => {
          const question = questionOf(put(secret), labelled);
          assert.equal(question?.kind, 'key');
          const probe = secret.slice(secret.length / 2 - 6, secret.length / 2 + 6);
          assert.ok(!JSON.stringify(question).includes(probe));
          for (const remembered of ['$_', '$&', '$`', "$'", '$+', '$1'])
            assert.equal((RegExp as unknown as Record<string, string>)[remembered], '');
          assert.ok(
            question.masks.some(
              ({ start, end, length }) =>
                length === secret.length && secret.startsWith(start) && secret.endsWith(end),
            ),
            put(secret),
          );
        }),
        { numRuns: 100 },
      );
    });

  test('has the mask that the hint of the roster is', () => {
    const question = questionOf(`KEY="sk-ven-api03-R2D${'a1B2c3D4'.repeat(6)}igAA"`, labelled);
    const mask = { start: 'sk-ven-api03-R2D', end: 'igAA', length: 68 };
    assert.deepEqual(question, { kind: 'key', masks: [mask], hasMore: false, unclear: [] });
  });

  const forms: [form: string, text: string, end: string][] = [
    ['of one case and no digits behind a label', 'xyz_ABCDEFGHJKLMNPQRSTUVWXYZ', 'WXYZ'],
    ['in groups with dashes', 'ABCD-EFGH-1234-5678-90AB', '90AB'],
    ['with zero-width characters within', 'sk\u200b_live_a1B2c3D4\u2060e5F6g7h8i9j0k1L2\ufeff', 'k1L2'],
    ['with control characters within', 'sk_live_a1B2\u0007c3D4e5F6g7h8i9j0k1L2', 'k1L2'],
    ['of full-width characters', 'ｓｋ＿ｌｉｖｅ＿ａ１Ｂ２ｃ３Ｄ４ｅ５Ｆ６ｇ７ｈ８ｉ９ｊ０', '9j0'],
  ];
  for (const [form, text, end] of forms)
    test(`is found ${form}`, () => {
      const question = questionOf(text, labelled);
      assert.ok(question?.kind === 'key');
      assert.ok(question.masks.some(mask => mask.end.endsWith(end) && !/\s/.test(mask.start)));
    });

  test('that is cut in half by dots is not taken for a hint', () => {
    const half = 'a1B2c3D4'.repeat(4);
    assert.equal(questionOf(`${half}...${half}`, labelled)?.kind, 'key');
  });
});

describe('a hint', () => {
  const HINT = 'sk_live_a1B2c3D4e5F6g2...wxy2';
  const asHint = sample([ID, OTHER_ID], [HINT]);

  for (const cut of ['...', '…', '****', '[REDACTED]'])
    for (const [begin, end] of [
      ['', ''],
      ['API_KEY=', ''],
      [`token='`, `'`],
    ] as const)
      test(`is one with ${cut} in the place of what is cut${begin && `, behind ${begin}`}`, () => {
        const text = `${begin}sk-ven-api03-R2D${cut}igAA${end}`;
        const mask = { start: 'sk-ven-api03-R2D', end: 'igAA', length: null };
        assert.deepEqual(questionOf(text, labelled), { kind: 'hint', text, mask });
      });

  for (const text of [HINT, `"${HINT}"`, 'A1B2C3D4E5F6G7H8I9J0K1L2M3N4O5P6...wxy2'])
    test(`is ${text}, though its begin looks like a key, whatever is known`, () => {
      for (const known of [nothing, labelled, asHint]) {
        const question = questionOf(text, known);
        assert.ok(question?.kind === 'hint');
        assert.deepEqual([question.mask.end, question.mask.length], ['wxy2', null]);
        assert.match(question.mask.start, /^[sA]\w+[26]$/);
      }
    });

  test('may be the begin of a known one alone, which is no secret', () => {
    const text = 'sk_live_a1B2c3D4e5F6';
    assert.deepEqual(questionOf(text, asHint), { kind: 'text', text });
    assert.equal(questionOf(`${text}x`, asHint)?.kind, 'key');
  });

  test('may be the end alone', () => {
    const mask = { start: '', end: 'igAA', length: null, left: 'end' };
    assert.deepEqual(questionOf('…igAA', labelled), { kind: 'hint', text: '…igAA', mask });
  });
});

describe('a name', () => {
  test('is what has no random part', () => {
    for (const text of [
      'billing-service-production-eu-west-1',
      'my-service-7d9f8b6c5d-x2x4z',
      'CustomerImportProduction2024',
      'alice.bob@mail.example.com',
      'deploy 2024-10-30T23:58',
      'igAA',
      '…',
      'prod-test-2024-eu01',
      '1234-5678-9012-3456',
      'main blue test prod',
    ])
      assert.deepEqual(questionOf(text, labelled), { kind: 'text', text });
  });

  const WORDS =
    'production staging ci github actions backend api key my test us east eu v2 k8s Alice prod env billing e2e dev 2024 01 job db1 internationalization';
  const words = fc.array(fc.constantFrom(...WORDS.split(' ')), { minLength: 1, maxLength: 8 });
  for (const separator of [' ', '-', '_', '.'])
    test(`is one of words with "${separator}" between them`, () =>
      fc.assert(
        fc.property(words, name => questionOf(name.join(separator), labelled)?.kind === 'text'),
        { numRuns: 500 },
      ));

  test('of nothing but spaces or characters that nobody sees asks for nothing', () =>
    assert.equal(questionOf(' \u200b\n', labelled), null));
});
