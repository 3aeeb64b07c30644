import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Column } from '../../../../src/operator/adopt/catalogue/catalogue.ts';
import { keyColumnReason } from '../../../../src/operator/adopt/catalogue/key-columns.ts';

const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const KEY = 'acme_4eC39HqLyjWDarjtT1zdp7dc';
const MASKED = 'acme_4eC...p7dc';

function reason(name: string, sample: Column['sample'], more: Partial<Column> = {}) {
  const rest = { isNullable: true, isUnique: false, isInPrimaryKey: false, mergesTexts: false, labels: [] };
  return keyColumnReason({ name, type: 'text', kind: 'text', sample, ...rest, ...more });
}

describe('a column has keys or hashes of keys', () => {
  const names =
    'key api_key apiKey apikey APIKEY token accessToken secret client_secret key_hash keyhash hashedKey hashed_token secret_hash ' +
    'digest sha256 token_sha256 password_digest encrypted_key key_encrypted keyValue key_ciphertext credential tokens salt hmac';
  test('by its name, whatever they look like, and where there are none', () => {
    for (const name of names.split(' '))
      for (const sample of [[DIGEST], [KEY], ['not-so-random-at-all'], [], null])
        assert.equal(reason(name, sample), 'its name', name);
  });

  test('by a name, of each type that a key can have', () => {
    for (const kind of ['text', 'uuid', 'bytes', 'other'] as const)
      assert.equal(reason('api_key', [], { kind }), 'its name');
    for (const kind of ['number', 'boolean', 'timestamptz', 'enum'] as const)
      assert.equal(reason('api_key', [], { kind }), null);
  });

  test('by its values, when a quarter of them are full keys or hashes', () => {
    assert.equal(reason('value', [KEY, MASKED, 'x', 'y']), 'its values');
    assert.equal(reason('value', [KEY, MASKED, 'x', 'y', 'z']), null);
    assert.equal(reason('note', [DIGEST, null, '']), 'its values');
    assert.equal(reason('project_key', [KEY]), 'its name');
  });

  test('by its values, also where it is an ID by its name or the primary key, when no ID looks like them', () => {
    const secret = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
    assert.equal(reason('value', [secret], { isInPrimaryKey: true }), 'its values');
    assert.equal(reason('id', [DIGEST], { isInPrimaryKey: true, isUnique: true }), 'its values');
    assert.equal(reason('created_by', [secret, 'user_1', 'user_2', 'user_3']), 'its values');
    assert.equal(reason('created_by', [secret, 'user_1', 'user_2', 'user_3', 'user_4']), null);
  });
});

describe('a column has no keys', () => {
  const names =
    'key_id keyId token_id id key_name prefix key_prefix key_start key_hint last4 token_type hash_algorithm secret_version key_type ' +
    'masked_key partial_key redacted_token truncated_key key_created_at';
  test('by its name', () => {
    for (const name of names.split(' '))
      for (const sample of [[], ['a', 'b']]) assert.equal(reason(name, sample), null, name);
  });

  test('when it is called as one, and most of its values are masked, short or sentences', () =>
    assert.equal(reason('key', [MASKED, 'staging', 'for the build server', 'x', KEY]), null));

  test('when it has IDs, by its name or as the primary key', () => {
    assert.equal(reason('request_id', [DIGEST.slice(0, 32)]), null);
    assert.equal(reason('customer', [KEY]), null);
    assert.equal(reason('created_by', [KEY]), null);
    assert.equal(reason('name', [KEY], { isInPrimaryKey: true }), null);
    assert.equal(reason('project_key', ['marketing-website']), null);
  });

  test('when it has the subjects of Entra ID, which have the form of a hash, and is of an owner', () => {
    const sub = 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ';
    for (const name of ['created_by', 'owner_id', 'sub']) assert.equal(reason(name, [sub]), null);
    assert.equal(
      reason('sub', [`x${sub}`.slice(0, 43).replaceAll('A', 'b7')], { isUnique: true }),
      'its values',
    );
  });

  test('when it has JSON with IDs in it', () =>
    assert.equal(reason('metadata', [`{"workspace":"wrkspc_01JwQvzr7rXLA5AGx3HKfFUJ"}`]), null));
});
