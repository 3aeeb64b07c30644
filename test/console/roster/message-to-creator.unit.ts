import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Directory } from '../../../src/admin/directory/directory.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { messageToCreator } from '../../../src/console/roster/message-to-creator.ts';
import { exampleRecord } from '../../support/example-record.ts';

const messageFor = (leaked: boolean, change: Partial<ApiKeyRecord> = {}) =>
  messageToCreator({ ...(exampleRecord as ApiKeyRecord), ...change }, leaked, {
    now: new Date(),
    directory: new Directory([]),
  });

test('a message to the creator of a key tells the key in one line each, and what to do', () => {
  const needed = messageFor(false, { status: 'active', name: 'x\r\nID: other\u202e' }).split('\n');
  assert.equal(needed[0], 'Is this API key still needed?');
  assert.match(needed[2] ?? '', /^- x ID: other \(/);
  assert.equal(needed.length, 6);
  assert.equal(needed.at(-1), 'If it is not, please archive it. If it is, please say what for.');
  const leaked = messageFor(true, { status: 'inactive' });
  assert.match(leaked, /^This API key was found outside .*Please archive it now and replace it/s);
});

test('a message never asks to archive a key that is archived', () => {
  for (const leaked of [true, false])
    assert.doesNotMatch(messageFor(leaked, { status: 'archived' }), /archive (it|now)/);
});
