import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withoutCredentials } from '../../src/api/others-code.ts';

const letters = (minLength: number) =>
  fc.array(fc.constantFrom(...'abcXYZ019._-=%;"\\ '), { minLength, maxLength: 40 }).map(all => all.join(''));

test('no 8 characters that a request has are left, wherever and however often they are', () => {
  fc.assert(
    fc.property(letters(8), fc.array(letters(0)), fc.nat(), (secret, around, cut) => {
      const message = around.join(secret) + secret.slice(cut % secret.length);
      const { message: shown } = withoutCredentials(new Error(message), ['other', secret]);
      const left = shown.replaceAll('[credential]', '\0');
      for (let at = 0; at + 8 <= secret.length; at++) assert(!left.includes(secret.slice(at, at + 8)), shown);
    }),
  );
});

test('what a request has nothing of stays as it is', () => {
  const error = new TypeError('connect ECONNREFUSED 10.0.0.7:6379');
  const { name, message, stack } = withoutCredentials(error, ['Bearer abcdefghijk', '?limit=20', '*/*']);
  assert.deepEqual(
    { name, message, stack },
    { name: 'TypeError', message: error.message, stack: error.stack },
  );
});

test('of an error that is long there is the beginning, and of a request that is too large there is nothing', () => {
  assert.equal(withoutCredentials(new Error('x '.repeat(50_000)), []).message.length, 8_192);
  const secret = 'abcdefgh'.repeat(4_096);
  const { message, stack } = withoutCredentials(new Error(`no ${secret}`), [secret, 'more']);
  assert.match(message, /^not logged, as the request is too large/);
  assert(!stack?.includes('abcdefgh'));
});

test('what code makes of a request is masked too: decoded, from Base64, or as JSON', () => {
  const secret = 'tulip horse/lemon "staple"';
  const basic = Buffer.from(`admin:${secret}`).toString('base64');
  const forms = [
    `?password=${encodeURIComponent(secret)}`,
    `?password=${encodeURIComponent(secret).replaceAll('%20', '+')}`,
    `?next=${encodeURIComponent(encodeURIComponent(secret))}&rate=5%zz`,
    `Basic ${basic}`,
    `v1.${basic}`,
    `key:${basic}`,
    `id=1,${encodeURIComponent(secret)}`,
  ];
  for (const text of forms) {
    const { message } = withoutCredentials(new Error(`no ${secret}, ${JSON.stringify(secret)}`), [text]);
    assert.doesNotMatch(message, /tulip|horse|lemon|staple/, text);
  }
});
