import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { type AdminKey, isValid, newRotation, rotated } from '../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { type Duration, parseDuration } from '../../../src/shared/record/duration.ts';
import {
  type AdminKeyId,
  newId,
  type OrganizationId,
  type WorkspaceId,
} from '../../../src/shared/record/identifier.ts';
import { containsAdminKey } from '../../../src/shared/record/redact-admin-keys.ts';
import { parseTimestamp, type Timestamp } from '../../../src/shared/record/timestamp.ts';
import { parseVendor } from '../../../src/shared/record/vendor.ts';
import { VENDOR } from '../../support/roster.ts';

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

  test('is refused with anything less or more', () => {
    const others = [` ${text}`, `${text} `, `${text}\n`, `${text}0`, text.slice(0, -1), `${text}, ${text}`];
    for (const bad of ['', ' ', ...others])
      assert.equal(AdminKeySecret.parse(bad), undefined, JSON.stringify(bad));
  });

  test('is never printed', () => {
    const inspected = [inspect(secret), inspect({ secret }, { depth: 9 })];
    for (const printed of [`${secret}`, JSON.stringify({ secret }), ...inspected])
      assert.ok(!printed.includes(text.slice(20, 40)), printed);
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
    scope: null,
    name: 'audit',
    lastCharacters: secret.lastCharacters(),
    digest: secret.digest(),
    createdAt: at(0),
    expiresAt: null,
    revokedAt: null,
    networks: null,
    replacedBy: null,
    ...change,
  });

  test('is valid with its own secret, until it is revoked, expires or has the max age, to the microsecond', () => {
    const maxAge = 5n as Duration;
    assert.equal(isValid(key(), secret.digest(), at(5)), true);
    assert.equal(isValid(key(), AdminKeySecret.issue(VENDOR).digest(), at(5)), false);
    assert.equal(isValid(key({ revokedAt: at(1) }), secret.digest(), at(5)), false);
    for (const [now, valid] of [
      [at(4), true],
      [at(5), false],
    ] as const) {
      assert.equal(isValid(key({ expiresAt: at(5) }), secret.digest(), now), valid);
      assert.equal(isValid(key(), secret.digest(), now, maxAge), valid);
    }
  });

  describe('that is rotated', () => {
    const DAY = parseDuration('1d') as Duration;
    const rotation = newRotation(AdminKeySecret.issue(VENDOR), at(1_000));
    const end = (1_000n + DAY) as Timestamp;

    test('gives its organization, scope, name and networks to another, with another secret', () => {
      const scope = { workspaceId: 'wrkspc_1' as WorkspaceId };
      const old = key({ scope, networks: ['10.0.0.0/8'] });
      const both = rotated(old, rotation, DAY);
      assert.deepEqual(both.new, { ...old, ...rotation });
      assert.deepEqual(both.old, { ...old, expiresAt: end, replacedBy: rotation.id });
    });
    test('ends after the overlap, or when it expires if that is earlier', () => {
      assert.equal(rotated(key({ expiresAt: at(2_000) }), rotation, DAY).old.expiresAt, at(2_000));
      const later = (end + 1n) as Timestamp;
      assert.equal(rotated(key({ expiresAt: later }), rotation, DAY).old.expiresAt, end);
      assert.equal(rotated(key(), rotation, 0n as Duration).old.expiresAt, at(1_000));
    });
    test('passes on its lifetime, counted anew, within the range of timestamps', () => {
      const old = key({ createdAt: at(400), expiresAt: at(1_500) });
      assert.equal(rotated(old, rotation, DAY).new.expiresAt, at(2_100));
      const last = parseTimestamp('9999-12-31T23:59:59.999999Z') as Timestamp;
      assert.equal(rotated(key({ expiresAt: last }), rotation, DAY).new.expiresAt, last);
    });
    test('must be valid, and not rotated before', () => {
      const refuses = (change: Partial<AdminKey>, why: RegExp) =>
        assert.throws(() => rotated(key(change), rotation, DAY), { name: 'Refused', message: why });
      refuses({ revokedAt: at(5) }, /it is revoked: create another/);
      refuses({ expiresAt: at(1_000) }, /it has expired: create another/);
      const replacedBy = 'adminkey_2' as AdminKeyId;
      refuses({ replacedBy, expiresAt: end }, /rotated before, to adminkey_2: rotate that one/);
    });
  });
});

test('a vendor is a short name of lower case, digits and single dashes, which begins with a letter', () => {
  for (const good of ['vendor', 'acme', 'a', 'my-company2']) assert.equal(parseVendor(good), good);
  for (const bad of ['', 'Acme', '2go', '-a', 'a-', 'a--b', 'a b', 'a_b', 'a'.repeat(33), 'a\n'])
    assert.equal(parseVendor(bad), undefined, JSON.stringify(bad));
});
