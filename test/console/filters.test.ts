import assert from 'node:assert/strict';
import { test } from 'node:test';
import { names, servedConsole, settled, signedIn, turn } from '../support/console.ts';
import { suiteScope } from '../support/scope.ts';
import { numberedKeys } from '../support/seeded-service.ts';

const suite = suiteScope();
const keys = numberedKeys(40).map((key, number) =>
  number % 10 === 9 ? { ...key, status: 'archived' as const } : key,
);
const served = await servedConsole(suite, keys);
const those = (wanted: (key: (typeof keys)[number]) => boolean) =>
  keys
    .filter(wanted)
    .slice(0, 20)
    .map(({ name }) => name);

for (const status of ['active', 'inactive', 'archived'] as const) {
  test(`the filter for ${status} shows those keys only, and the address says so`, async t => {
    const page = await signedIn(t, served);
    await page.getByLabel('Status').selectOption(status);
    await page.waitForURL(`${served.url}?status=${status}`);
    await settled(page);
    assert.deepEqual(
      await names(page),
      those(key => key.status === status),
    );
    assert.deepEqual(new Set(await page.locator('.badge').allTextContents()), new Set([status]));
  });
}

test('a workspace is filtered by its ID, typed or clicked', async t => {
  const page = await signedIn(t, served);
  const expected = those(key => key.workspaceId === 'wrkspc_3');
  await page.getByLabel('Workspace ID').fill(' wrkspc_3 ');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${served.url}?workspace_id=wrkspc_3`);
  await settled(page);
  assert.deepEqual(await names(page), expected);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.waitForURL(served.url);
  await settled(page);
  await page.getByRole('link', { name: 'wrkspc_3' }).first().click();
  await page.waitForURL(`${served.url}?workspace_id=wrkspc_3`);
  await settled(page);
  assert.deepEqual(await names(page), expected);
});

test('a creator is filtered by ID, typed or clicked', async t => {
  const page = await signedIn(t, served);
  const expected = those(key => key.createdBy.id === 'user_1');
  await page.getByRole('link', { name: 'user_1' }).first().click();
  await page.waitForURL(`${served.url}?created_by_user_id=user_1`);
  await settled(page);
  assert.deepEqual(await names(page), expected);
  assert.equal(await page.getByLabel('Creator ID').inputValue(), 'user_1');
  await page.getByLabel('Creator ID').fill('user_nobody');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('No API key matches these filters.').waitFor();
  await page.getByRole('link', { name: 'Show all keys' }).click();
  await page.getByText('20 keys, newest first').waitFor();
  assert.equal(await page.getByLabel('Creator ID').inputValue(), '');
});

test('filters combine, survive turning the page, and a changed one starts from the newest key', async t => {
  const page = await signedIn(t, served, { at: '?status=active&created_by_user_id=user_1&limit=20' });
  await page.getByLabel('Page size').selectOption('50');
  await page.waitForURL(`${served.url}?status=active&created_by_user_id=user_1&limit=50`);
  await settled(page);
  assert.deepEqual(
    await names(page),
    those(key => key.status === 'active' && key.createdBy.id === 'user_1'),
  );
  const again = await signedIn(t, served, { at: '?status=active&limit=2' });
  await turn(again, 'Next');
  assert.match(again.url(), /\?status=active&limit=2&after_id=k\d+$/);
  await again.getByLabel('Status').selectOption('archived');
  await again.waitForURL(`${served.url}?status=archived&limit=2`);
});

test('back takes a filter away again, from its field too', async t => {
  const page = await signedIn(t, served);
  await page.getByLabel('Status').selectOption('archived');
  await page.waitForURL(/archived/);
  await page.goBack();
  await page.getByText('20 keys, newest first').waitFor();
  assert.equal(await page.getByLabel('Status').inputValue(), '');
});
