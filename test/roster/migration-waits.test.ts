import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../src/roster/migration-waits.ts';

test('what others wait for is told in seconds, and more than 2 s with what to do', () => {
  assert.equal(waitFor(400_000, 500_000), 'less than a second');
  assert.equal(waitFor(1_000_000, 500_000), 'about 2 s (1,000,000 rows)');
  assert.equal(
    waitFor(1_000_001, 500_000),
    'about 3 s (1,000,001 rows), more than 2 s: run it when few would wait',
  );
});
