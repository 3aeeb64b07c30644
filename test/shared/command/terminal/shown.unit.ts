import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neverShow, shown, withoutUsedAdminKey } from '../../../../src/shared/command/terminal/shown.ts';

test('no admin key that is used is shown, of several services either', () => {
  for (const key of ['acme-secret-1', 'other.key/2']) neverShow(key);
  assert.equal(shown('acme-secret-1 and other.key/2'), withoutUsedAdminKey('acme-secret-1 and other.key/2'));
  assert.doesNotMatch(shown('acme-secret-1 and other.key/2'), /secret|other/);
});

test('no admin key that is used is shown where a format writes its characters otherwise', () => {
  const key = `k"\\&<'0123`;
  neverShow(key);
  for (const written of [
    JSON.stringify({ key }),
    `"${key.replaceAll('"', '""')}"`,
    'k&#34;\\&#38;&#60;&#39;0123',
  ])
    assert.doesNotMatch(withoutUsedAdminKey(written), /0123/);
});
