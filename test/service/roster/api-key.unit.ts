import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isAllowedTransition, STATUSES, type Status } from '../../../src/shared/record/status.ts';

describe('the status of an API key', () => {
  test('can be every one, from active on', () => {
    const reachable = new Set<Status>(['active']);
    for (const from of reachable)
      for (const to of STATUSES) if (isAllowedTransition(from, to)) reachable.add(to);
    assert.deepEqual([...reachable].sort(), [...STATUSES].sort());
  });

  test('may become any other one, unless it is archived', () => {
    for (const from of STATUSES)
      for (const to of STATUSES)
        assert.equal(isAllowedTransition(from, to), from === to || from !== 'archived');
  });
});
