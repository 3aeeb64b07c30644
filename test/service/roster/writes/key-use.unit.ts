import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseKeyUse } from '../../../../src/service/roster/writes/key-use.ts';

test('a use may be a day ahead, as clocks differ, and no later', t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-01T12:00:00Z') });
  const isTaken = (last_used_at: string) => 'key' in parseKeyUse({ id: 'apikey_1', last_used_at });
  assert.ok(isTaken('2026-03-01T12:00:00Z'));
  assert.ok(isTaken('2026-03-02T12:00:00Z'));
  assert.ok(!isTaken('2026-03-02T12:00:00.000001Z'));
});
