import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowedTransition, STATUSES } from '../../../src/shared/record/status.ts';

test('an API key may get any status from any other one, unless it is archived', () => {
  for (const from of STATUSES)
    for (const to of STATUSES)
      assert.equal(isAllowedTransition(from, to), from === to || from !== 'archived');
});
