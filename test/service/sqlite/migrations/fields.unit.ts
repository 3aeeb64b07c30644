import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrations } from '../../../../src/service/sqlite/migrations/schema.ts';
import { CREATOR_TYPES, RECORD_FIELDS } from '../../../../src/shared/record/api-key-record.ts';

test('the stored records have the fields and creator types of the last step: another one needs a step that adds it to them', () => {
  const last = { steps: migrations.length, fields: RECORD_FIELDS.length, creatorTypes: CREATOR_TYPES.length };
  assert.deepEqual(last, { steps: 1, fields: 8, creatorTypes: 2 });
});
