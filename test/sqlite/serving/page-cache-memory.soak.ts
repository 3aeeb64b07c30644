import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { renderPage } from '../../../src/api/render-page.ts';
import type { OrganizationId } from '../../../src/roster/identifier.ts';
import type { JoinedPage } from '../../../src/roster/joined-page.ts';
import type { ListQuery } from '../../../src/roster/list-query.ts';
import { openReader, openWriter } from '../../../src/sqlite/store.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import { createOrganization } from '../../support/roster.ts';
import { apiKeysOf } from '../../support/service-process.ts';
import { TEST_ACTOR } from '../../support/store-at.ts';

const FIRST: ListQuery = { limit: 20, cursor: null, filter: {} };
const ORGANIZATIONS = 300;
const MIB = 2 ** 20;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Memory outside of V8's heap. It is freed by a thread of its own, so this waits until nothing is freed any more. */
async function bytesOutside(): Promise<number> {
  let bytes = Number.POSITIVE_INFINITY;
  for (let unchanged = 0; unchanged < 3; ) {
    collectGarbage();
    await setTimeout(20);
    const { arrayBuffers } = process.memoryUsage();
    unchanged = arrayBuffers < bytes ? 0 : unchanged + 1;
    bytes = arrayBuffers;
  }
  return bytes;
}

test('the cached pages of many organizations take their own bytes outside of the heap, and other pages none', async t => {
  const { file } = await embeddedStore(t);
  const writer = openWriter(file, TEST_ACTOR);
  const organizations: OrganizationId[] = [];
  for (let number = 0; number < ORGANIZATIONS; number++) {
    const { id } = await createOrganization(writer);
    await writer.putApiKeys(id, apiKeysOf(id, 5));
    organizations.push(id);
  }
  await writer.close();
  const reader = openReader(file);
  t.after(() => reader.close());
  const render = async (organization: OrganizationId) =>
    renderPage((await reader.listApiKeys(organization, FIRST)) as JoinedPage).length;

  const before = await bytesOutside();
  for (const organization of organizations) await render(organization);
  const staying = (await bytesOutside()) - before;
  assert(staying < 0.1 * MIB, `${staying} bytes stay of pages that aren't cached`);

  let rendered = 0;
  for (const organization of organizations) {
    rendered += await render(organization);
    await render(organization);
  }
  const taken = (await bytesOutside()) - before;
  assert(taken >= rendered, 'the rendered pages are cached');
  assert(taken < 2.5 * rendered, `${taken} bytes are taken by ${rendered} bytes of pages`);
});
