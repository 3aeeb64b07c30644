import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../../src/shared/record/partial-key-hint.ts';
import { parseTimestamp, type Timestamp } from '../../../src/shared/record/timestamp.ts';
import { describeEachStore, type OpenStore } from '../../support/each-store.ts';
import { exampleRecord } from '../../support/example-record.ts';
import { type Caller, callerOf } from '../../support/http.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { startService, type TestService } from '../../support/service.ts';

// The record of docs/api.md#the-record, and a newer and an older key.
const shown: ApiKey = {
  id: 'apikey_01Rj2N8SVvo6BePZj99NhmiT' as ApiKeyId,
  name: 'Developer Key',
  createdAt: parseTimestamp('2024-10-30T23:58:27.427722Z') as Timestamp,
  createdBy: { id: 'user_01WCz1FkmYMm4gnmykNKUu3Q' as CreatorId, type: 'user' },
  partialKeyHint: 'sk-ven-api03-R2D...igAA' as PartialKeyHint,
  status: 'active',
  workspaceId: 'wrkspc_01JwQvzr7rXLA5AGx3HKfFUJ' as WorkspaceId,
};
const service = { id: 'svac_1' as CreatorId, type: 'service_account' } as const;
const later = (shown.createdAt + 1n) as Timestamp;
const newer: ApiKey = {
  ...shown,
  id: 'newer' as ApiKeyId,
  name: '检索 "🚀" \\',
  createdAt: later,
  status: 'inactive',
  workspaceId: null,
};
const older: ApiKey = {
  ...shown,
  id: 'older' as ApiKeyId,
  createdAt: 0n as Timestamp,
  createdBy: service,
  status: 'archived',
};

describeEachStore('the list operation', listsApiKeys);

function listsApiKeys(open: OpenStore): void {
  let running: TestService;
  let caller: Caller;
  const othersKey = { ...shown, id: 'others_key' as ApiKeyId };
  before(async () => {
    const organization = await createOrganization(open.writer);
    await importKeys(open.writer, organization.id, [shown, newer, older]);
    await importKeys(open.writer, (await createOrganization(open.writer)).id, [othersKey]);
    running = await startService(open.reader);
    caller = callerOf(running.port, organization.secret);
  });
  after(async () => {
    caller.close();
    await running.close();
  });

  test('answers with the page and the record exactly as docs/api.md shows them', async () => {
    const { body } = await caller.send({ query: 'status=active' });
    assert.deepEqual(body, {
      data: [exampleRecord],
      first_id: exampleRecord.id,
      last_id: exampleRecord.id,
      has_more: false,
    });
  });

  test('answers HEAD with the headers of GET, its content-length included, and no body', async () => {
    for (const query of ['', 'status=active', 'limit=0', 'after_id=unknown']) {
      const get = await caller.send({ query });
      const head = await caller.send({ method: 'HEAD', query });
      assert.equal(head.status, get.status);
      assert.deepEqual({ ...head.headers, ...VARYING }, { ...get.headers, ...VARYING }, query);
    }
  });
}

const VARYING = { 'request-id': '', date: '' };
