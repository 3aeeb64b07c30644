import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isAllowedTransition, STATUSES } from '../../src/roster/api-key.ts';

describe('the status of an API key', () => {
  for (const from of STATUSES) {
    for (const to of STATUSES) {
      const allowed = from === to || from !== 'archived';
      test(`${allowed ? 'may' : 'may not'} go from ${from} to ${to}`, () =>
        assert.equal(isAllowedTransition(from, to), allowed));
    }
  }
});
