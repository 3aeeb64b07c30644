import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redacting } from '../../src/api/log.ts';
import { AdminKeySecret } from '../../src/roster/admin-key-secret.ts';
import { VENDOR } from '../support/roster.ts';

test('an admin key anywhere in a log line is masked before the line is written', () => {
  const lines: string[] = [];
  const log = redacting({ write: line => lines.push(line) });
  const [one, other] = [AdminKeySecret.issue(VENDOR).reveal(), AdminKeySecret.issue(VENDOR).reveal()];
  log.write(`{"err":"sent by ${one}, and ${other}"}\n`);
  log.write('{"msg":"nothing to hide"}\n');
  assert.deepEqual(lines, [
    '{"err":"sent by [admin key], and [admin key]"}\n',
    '{"msg":"nothing to hide"}\n',
  ]);
});
