import assert from 'node:assert/strict';
import { test } from 'node:test';
import { names, servedConsole, settled, signedIn, turn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const suite = suiteScope();
const keys = numberedKeys(40).map((key, number) =>
  number % 10 === 9 ? { ...key, status: 'archived' as const } : key,
);
const served = await servedConsole(suite, keys);
const firstNames = (isMatch: (key: (typeof keys)[number]) => boolean) =>
  keys
    .filter(isMatch)
    .slice(0, 20)
    .map(({ name }) => name);

for (const status of ['active', 'inactive', 'archived'] as const) {
  test(`the filter for ${status} shows only those keys and is part of the address`, async t => {
    const page = await signedIn(t, served);
    await page.getByLabel('Status').selectOption(status);
    await page.waitForURL(`${served.url}?status=${status}`);
    await settled(page);
    assert.deepEqual(
      await names(page),
      firstNames(key => key.status === status),
    );
    assert.deepEqual(new Set(await page.locator('.badge').allTextContents()), new Set([status]));
  });
}

test('the roster is filtered by a workspace ID, typed or clicked', async t => {
  const page = await signedIn(t, served);
  const expected = firstNames(key => key.workspaceId === 'wrkspc_3');
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

test('the roster is filtered by a creator ID, typed or clicked', async t => {
  const page = await signedIn(t, served);
  const expected = firstNames(key => key.createdBy.id === 'user_1');
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

test('filters combine, apply to the next page, and start from the newest key when one changes', async t => {
  const page = await signedIn(t, served, { at: '?status=active&created_by_user_id=user_1&limit=20' });
  await page.getByLabel('Page size').selectOption('50');
  await page.waitForURL(`${served.url}?status=active&created_by_user_id=user_1&limit=50`);
  await settled(page);
  assert.deepEqual(
    await names(page),
    firstNames(key => key.status === 'active' && key.createdBy.id === 'user_1'),
  );
  const again = await signedIn(t, served, { at: '?status=active&limit=2' });
  await turn(again, 'Next');
  assert.match(again.url(), /\?status=active&limit=2&after_id=k\d+$/);
  await again.getByLabel('Status').selectOption('archived');
  await again.waitForURL(`${served.url}?status=archived&limit=2`);
});

test('the back button removes a filter and clears its field', async t => {
  const page = await signedIn(t, served);
  await page.getByLabel('Status').selectOption('archived');
  await page.waitForURL(/archived/);
  await page.goBack();
  await page.getByText('20 keys, newest first').waitFor();
  assert.equal(await page.getByLabel('Status').inputValue(), '');
});
