import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { idLooksLikeKey, looksLikeKey } from '../../../src/shared/record/looks-like-key.ts';
import { partialKeyHint } from '../../support/arbitraries.ts';

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';
const alphabets = {
  base62: UPPER + LOWER + DIGITS,
  'letters of both cases': UPPER + LOWER,
  'lower case and digits': LOWER + DIGITS,
  base32: `${UPPER}234567`,
  hex: '0123456789abcdef',
  base64url: `${UPPER}${LOWER}${DIGITS}-_`,
  base64: `${UPPER}${LOWER}${DIGITS}+/`,
};
const random = (alphabet: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });

/** The seed makes the samples the same in every run. */
const samples = <T>(of: fc.Arbitrary<T>) => fc.sample(fc.noBias(of), { numRuns: 500, seed: 20261122 });
/** The share that is taken for a key. */
const share = (texts: readonly string[], looksSo = looksLikeKey) =>
  texts.filter(looksSo).length / texts.length;

describe('a full key', () => {
  for (const [name, alphabet] of Object.entries(alphabets))
    test(`of ${name} is found 4 times in 5 with 20 characters, 9 times in 10 with 32`, () => {
      for (const [length, least] of [
        [20, 0.8],
        [32, 0.9],
        [64, 0.95],
      ] as const) {
        const keys = samples(random(alphabet, length));
        for (const prefix of ['', 'sk_live_', 'acme-api03-']) {
          const found = share(keys.map(key => prefix + key));
          assert.ok(found > least, `${length} after "${prefix}": ${found}`);
        }
      }
    });

  const keys = [
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    'my key: "acme_4eC39HqLyjWDarjtT1zdp7dc" (old)',
  ];
  for (const key of keys) test(`may be ${key}`, () => assert.equal(looksLikeKey(key), true));
});

describe('a hash of a key', () => {
  for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512'])
    test(`by ${algorithm} is always found in hex, and 9 times in 10 in base64 or base64url`, () => {
      const digests = samples(fc.uint8Array({ minLength: 8, maxLength: 40 })).map(key =>
        createHash(algorithm).update(key).digest(),
      );
      for (const start of ['', '\\x', '0x', 'sha256:'])
        assert.equal(share(digests.map(bytes => start + bytes.toString('hex'))), 1, start);
      for (const encoding of ['base64', 'base64url'] as const)
        assert.ok(share(digests.map(bytes => bytes.toString(encoding))) > 0.9, encoding);
    });

  const hashes = [
    '$2b$12$EixZaYVK1fsbw1ZfbX3OXePaWxn96p36WQoeG6Lruj3vjPGga31lW',
    '$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b+dWRWJTmaaJObG',
    'pbkdf2_sha256$600000$salt$hashhashhash',
    '{SSHA}0c0blFTXXNuAMHECS4uxrj3ZieMoWImr',
  ];
  for (const hash of hashes) test(`may be ${hash}`, () => assert.equal(looksLikeKey(hash), true));
});

describe('what is no key', () => {
  const WORDS =
    'production staging ci github actions backend api key my test us east eu v2 k8s Alice prod env billing e2e dev 2024 01 job db1';
  const words = fc.array(fc.constantFrom(...WORDS.split(' ')), { minLength: 1, maxLength: 8 });

  for (const separator of [' ', '-', '_', '.', '/', ': '])
    test(`is a name of words with "${separator}" between them`, () =>
      fc.assert(
        fc.property(words, name => !looksLikeKey(name.join(separator))),
        { numRuns: 500 },
      ));

  test('is, 4 times in 5, a name of words without anything between them', () => {
    const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
    const names = samples(words);
    assert.ok(share(names.map(name => name.join(''))) < 0.2);
    assert.ok(share(names.map(name => name.map(capital).join(''))) < 0.2);
  });

  test('is a masked hint', () => fc.assert(fc.property(partialKeyHint, hint => !looksLikeKey(hint))));

  test('is an ID that is a number or a UUID, with a prefix or without', () =>
    fc.assert(
      fc.property(fc.uuid(), fc.bigInt({ min: 0n, max: 2n ** 63n }), (uuid, number) =>
        [uuid, `key_${uuid}`, `${number}`, `key_${number}`].every(text => !looksLikeKey(text)),
      ),
    ));

  const others = [
    'sk_live_************************4242',
    'alice.bob@mail.example.com',
    'arn:aws:iam::123456789012:user/deploy-production',
    'my-service-7d9f8b6c5d-x2x4z',
    'Donaudampfschifffahrtsgesellschaft',
  ];
  for (const text of others) test(`is "${text}"`, () => assert.equal(looksLikeKey(text), false));
});

describe('an ID', () => {
  const base62 = alphabets.base62;
  test('is no key when it is 32 letters, as those of better-auth', () =>
    assert.equal(share(samples(random(base62, 32)), idLooksLikeKey), 0));

  const ids: [name: string, fc.Arbitrary<string>][] = [
    ['cuid', random(LOWER + DIGITS, 24).map(text => `c${text}`)],
    ['nanoid', random(alphabets.base64url, 21)],
    ['ULID', random('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 26)],
    ['number', fc.bigInt({ min: 0n, max: 2n ** 63n }).map(String)],
    ['UUID', fc.uuid()],
  ];
  for (const [name, id] of ids)
    test(`is no key when it is a ${name}, after any label`, () => {
      const all = samples(id);
      for (const label of ['', 'apikey_', 'user_', 'cus_', 'key-', 'organization_', 'service_account_'])
        assert.ok(!all.some(text => idLooksLikeKey(label + text)), label);
    });

  const others = [
    'apikey_01Rj2N8SVvo6BePZj99NhmiT',
    'live-nation-entertainment-and-its-subsidiaries',
    'my-service-production-7d9f8b6c5d-x2x4z',
    `0x${'52908400098527886E0F7030069857D2E4169EE7'}`,
    'auth0|6507f2a1c3d4e5f60718293a',
    'google-oauth2|104938274650192837465',
    'ana.maria+keys@mail.example.com',
    'arn:aws:iam::123456789012:user/team-7/deploy-production',
    'gid://shop/Customer/4839201748392',
    'a3f0c1d2-4b5e-4f6a-8b7c-9d0e1f2a3b4c@clients',
    'tenant/a3f0c1d2-4b5e-4f6a-8b7c-9d0e1f2a3b4c/b3f0c1d2-4b5e-4f6a-8b7c-9d0e1f2a3b4c',
    'waad|q3Tz8WmK1vYpL0sBnH5cXeR7uJ2dG9fA4iO6tQwEyUz',
    'samlp|okta|_5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8',
    'apple|001234.cfcd208495d565ef66e7dff9f98764da.1234',
    'Z2lkOi8vc2hvcGlmeS9DdXN0b21lci80ODM5MjAxNzQ4Mzky',
    'arn:aws:sts::123456789012:assumed-role/MyRole/i-0abcd1234ef567890',
    'apple|001234.a1b2c3d4e5f60718293a4b5c6d7e8f90.1234',
    'spiffe://cluster.local/ns/prod/sa/billing-7d9f8b6c5d-x2x4z',
    'org/123/users/a1b2c3d4e5f6a7b8c9d0',
  ];
  for (const id of others) test(`may be "${id}"`, () => assert.equal(idLooksLikeKey(id), false));

  test('is no key when it is a UUID with something before it, after it, or both', () => {
    const all = samples(fc.uuid()).flatMap(uuid => [
      ...[`${uuid}-prod`, `${uuid}_v2`, `acct-${uuid}-eu`, `arn:${uuid}/x`],
      ...[`${uuid}.${uuid}`, `tenant-${uuid}-user-${uuid}`],
    ]);
    assert.deepEqual(all.filter(idLooksLikeKey), []);
  });

  const keys: [name: string, fc.Arbitrary<string>][] = [
    ['sk- and 32 of hex', random(alphabets.hex, 32).map(text => `sk-${text}`)],
    ['sk_ and a UUID', fc.uuid().map(text => `sk_${text}`)],
    ['numbers and 24 characters', random(base62, 24).map(text => `xoxb-12345678901-9876543210-${text}`)],
    ['a label and 32 characters', random(base62, 32).map(text => `acme_${text}`)],
    ['32 bytes in base64url', random(alphabets.base64url, 43)],
  ];
  for (const [name, key] of keys)
    test(`is taken for a key 9 times in 10 when it is ${name}`, () => {
      const found = share(samples(key), idLooksLikeKey);
      assert.ok(found > 0.9, `${found}`);
    });

  for (const length of [40, 56, 64, 96, 128])
    test(`is taken for a hash when it is ${length} of hex, after any label`, () => {
      const all = samples(random(alphabets.hex, length));
      for (const label of ['', '\\x', 'key_', 'sha256_'])
        assert.ok(
          all.every(text => idLooksLikeKey(label + text)),
          label,
        );
    });
});
