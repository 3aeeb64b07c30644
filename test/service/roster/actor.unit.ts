import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseActor } from '../../../src/service/roster/actor.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { VENDOR } from '../../support/roster.ts';

test('an actor is any printable name', () => {
  for (const name of ['Ålice 検索 <alice@example.com>', 'CI: job #7/2', '😀'.repeat(128)])
    assert.equal(parseActor(name), name);
});

test('an actor is not empty, too long, unprintable, or with an admin key in it', () => {
  const secret = AdminKeySecret.issue(VENDOR).reveal();
  const wrong = ['', '  ', 'a'.repeat(129), 'two\nlines', 'a\u202eb', 'a\u200bb', 'a\u0085b', '\ud800'];
  for (const text of [...wrong, secret, `by ${secret}`, undefined, 7])
    assert.equal(parseActor(text), undefined, JSON.stringify(text));
});
