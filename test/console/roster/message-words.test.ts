import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { messageWords } from '../../../src/console/roster/message-words.ts';

const { needed, leaked } = messageWords;

describe('a message to the creator of a key', () => {
  test('asks whether the key is needed, and to replace only an old one', () => {
    const end = 'If it is not, please archive it. If it is, please say what for';
    const old = ', and replace it with a new key: it is more than a year old';
    assert.deepEqual(needed('active', false), {
      opening: 'Is this API key still needed?',
      closing: `${end}.`,
    });
    assert.equal(needed('active', true).closing, `${end}${old}.`);
    assert.deepEqual(needed('inactive', false), {
      opening: 'Is this inactive API key still needed?',
      closing: `${end}.`,
    });
  });

  test('asks to archive a leaked key now, also with another status', () => {
    assert.deepEqual(leaked('active'), {
      opening: 'This API key was found outside (its full text).',
      closing: 'Please archive it now and replace it where it is used.',
    });
    assert.match(leaked('inactive').closing, /Please archive it now/);
    assert.deepEqual(leaked('paused'), leaked('active'));
  });

  test('never asks to archive a key that is archived', () => {
    for (const words of [needed('archived', false), needed('archived', true), leaked('archived')])
      assert.doesNotMatch(Object.values(words).join(' '), /archive (it|now)|where it is old/);
  });
});
