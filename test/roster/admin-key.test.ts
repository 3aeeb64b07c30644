import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { type AdminKey, isValid } from '../../src/roster/admin-key.ts';
import { AdminKeySecret } from '../../src/roster/admin-key-secret.ts';
import { newId, type OrganizationId } from '../../src/roster/identifier.ts';
import { containsAdminKey } from '../../src/roster/redact-admin-keys.ts';
import type { Timestamp } from '../../src/roster/timestamp.ts';
import { parseVendor } from '../../src/roster/vendor.ts';
import { VENDOR } from '../support/roster.ts';

const secret = AdminKeySecret.issue(VENDOR);
const text = secret.reveal();

describe('the secret of an admin key', () => {
  test('has the format that secret scanners look for', () =>
    assert.match(text, /^vendor-admin01-[0-9A-Za-z]{49}$/));

  test('is parsed back to the same secret', () => {
    assert.deepEqual(AdminKeySecret.parse(text)?.digest(), secret.digest());
  });

  test('is never issued twice', () => {
    const issued = new Set(Array.from({ length: 1000 }, () => AdminKeySecret.issue(VENDOR).reveal()));
    assert.equal(issued.size, 1000);
  });

  test('is refused when any one character is mistyped', () => {
    for (let place = 0; place < text.length; place++) {
      const other = text[place] === 'x' ? 'y' : 'x';
      assert.equal(AdminKeySecret.parse(text.slice(0, place) + other + text.slice(place + 1)), undefined);
    }
  });

  for (const bad of [
    '',
    ' ',
    `${text} `,
    ` ${text}`,
    `${text}, ${text}`,
    text.slice(0, -1),
    `${text}0`,
    `${text}\n`,
  ]) {
    test(`is refused as ${JSON.stringify(bad.replaceAll(text, 'KEY'))}`, () => {
      assert.equal(AdminKeySecret.parse(bad), undefined);
    });
  }

  test('is never printed', () => {
    for (const printed of [
      `${secret}`,
      inspect(secret),
      inspect({ secret }, { depth: 9 }),
      JSON.stringify({ secret }),
    ]) {
      assert.ok(!printed.includes(text.slice(20, 40)), printed);
    }
  });

  test('is found in a longer text', () => {
    assert.equal(containsAdminKey(`use ${text}!`), true);
    assert.equal(containsAdminKey('the vendor-admin01- prefix alone'), false);
  });
});

describe('an admin key', () => {
  const at = (moment: number) => BigInt(moment) as Timestamp;
  const key = (change: Partial<AdminKey> = {}): AdminKey => ({
    id: newId('adminkey'),
    organizationId: newId<OrganizationId>('org'),
    name: 'audit',
    lastCharacters: secret.lastCharacters(),
    digest: secret.digest(),
    createdAt: at(0),
    expiresAt: null,
    revokedAt: null,
    ...change,
  });

  test('is valid with its own secret', () => assert.equal(isValid(key(), secret.digest(), at(5)), true));
  test('is not valid with another secret', () => {
    assert.equal(isValid(key(), AdminKeySecret.issue(VENDOR).digest(), at(5)), false);
  });
  test('is valid until the microsecond at which it expires', () => {
    assert.equal(isValid(key({ expiresAt: at(5) }), secret.digest(), at(4)), true);
    assert.equal(isValid(key({ expiresAt: at(5) }), secret.digest(), at(5)), false);
  });
  test('is not valid once it is revoked', () => {
    assert.equal(isValid(key({ revokedAt: at(1) }), secret.digest(), at(5)), false);
  });
});

describe('a vendor', () => {
  for (const good of ['vendor', 'acme', 'a', 'my-company2']) {
    test(`may be ${good}`, () => assert.equal(parseVendor(good), good));
  }
  for (const bad of ['', 'Acme', '2go', '-a', 'a-', 'a--b', 'a b', 'a_b', 'a'.repeat(33), 'a\n']) {
    test(`may not be ${JSON.stringify(bad)}`, () => assert.equal(parseVendor(bad), undefined));
  }
});
