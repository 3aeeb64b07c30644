import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import { deleteOrganization } from '../../../src/service/roster/organization.ts';
import type { ImportId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../../src/shared/record/partial-key-hint.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import { createOrganization, importLines, now } from '../../support/roster.ts';
import { storeAt } from '../../support/store-at.ts';

/** Enough for many pages, which the organizations share: their keys are of the same times. */
const keys = firstKeys(5_000);
const named = (name: string): ApiKey[] =>
  keys.map(key => ({
    ...key,
    name: `Of the ${name}`,
    status: 'active',
    partialKeyHint: `sk-${name}-...wxyz` as PartialKeyHint,
  }));

test('what a deletion and a revert delete is in neither the file nor its log when the writer has closed', async t => {
  const { file, url, organization: deleted } = await embeddedStore(t);
  const writer = await storeAt(url).openWriter();
  const importTo = async (organizationId: OrganizationId, all: readonly ApiKey[]) => {
    const lines = all.map((key, index) => ({ line: index + 1, organizationId, key }));
    return (await importLines(writer, lines)).importId as ImportId;
  };
  const { id: stays } = await createOrganization(writer);
  await importTo(deleted, named('deleted'));
  await importTo(stays, named('staying').slice(0, 2_500));
  await importTo(deleted, named('renamed'));
  // Longer records move others to new pages, and the old ones would keep copies of them.
  for (let from = 0; from < 1_000; from += 20)
    await writer.putApiKeys(
      deleted,
      named('put-and-longer-than-it-was')
        .slice(from, from + 20)
        .map(key => ({ ...key, workspaceId: null })),
    );
  const reverted = await importTo(stays, named('reverted').slice(2_500));
  await writer.revertImport(reverted, {});
  await deleteOrganization(writer, deleted, now(), () => {});
  await writer.close();

  const found = [file, `${file}-wal`]
    .filter(each => existsSync(each))
    .map(each => readFileSync(each, 'latin1'));
  const has = (text: string) => found.some(content => content.includes(text));
  assert.ok(has('Of the staying') && has('sk-staying-'));
  for (const name of ['deleted', 'renamed', 'put-and-longer-than-it-was', 'reverted'])
    assert.deepEqual([has(`Of the ${name}`), has(`sk-${name}-`)], [false, false], name);
});
