import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CreatorId, WorkspaceId } from '../../../src/shared/record/identifier.ts';
import { scopeText } from '../../../src/shared/record/list-query.ts';
import { ownerId } from '../../support/arbitraries.ts';

test('the text of a scope is the query string that asks for it, whatever its IDs have', () =>
  fc.assert(
    fc.property(ownerId<WorkspaceId>(), ownerId<CreatorId>(), (workspaceId, creatorId) => {
      assert.deepEqual(Object.fromEntries(new URLSearchParams(scopeText({ workspaceId, creatorId }))), {
        workspace_id: workspaceId,
        created_by_user_id: creatorId,
      });
    }),
  ));
