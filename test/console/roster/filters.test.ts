import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  fillOnceThere,
  names,
  openTab,
  pagerButton,
  servedConsole,
  settled,
  signedIn,
  signIn,
  turn,
} from '../../support/console.ts';
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
  await page.getByLabel('Workspace', { exact: true }).fill(' wrkspc_3 ');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${served.url}?workspace_id=wrkspc_3`);
  await settled(page);
  assert.deepEqual(await names(page), expected);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.waitForURL(served.url);
  await settled(page);
  await page.getByRole('link', { name: 'wrkspc_3' }).first().click();
  await page.waitForURL(`${served.url}?workspace_id=wrkspc_3`);
  await settled(page);
  assert.deepEqual(await names(page), expected);
});

test('what is in a filter before its first frame is painted stays there', async t => {
  const page = await openTab(t);
  await fillOnceThere(page, 'input[name=workspace_id]', 'wrkspc_3');
  await page.goto(served.url);
  await signIn(page, served.secret);
  await settled(page);
  assert.equal(await page.getByLabel('Workspace', { exact: true }).inputValue(), 'wrkspc_3');
});

test('the roster is filtered by a creator ID, typed or clicked', async t => {
  const page = await signedIn(t, served);
  const expected = firstNames(key => key.createdBy.id === 'user_1');
  await page.getByRole('link', { name: 'user_1' }).first().click();
  await page.waitForURL(`${served.url}?created_by_user_id=user_1`);
  await settled(page);
  assert.deepEqual(await names(page), expected);
  assert.equal(await page.getByLabel('Creator', { exact: true }).inputValue(), 'user_1');
  await page.getByLabel('Creator', { exact: true }).fill('user_nobody');
  await page.keyboard.press('Enter');
  await page.getByText('No API key matches these filters.').waitFor();
  await page.getByRole('link', { name: 'Show all keys' }).click();
  await page.getByText('Shown: all keys, newest first. This page: 20 keys, created ').waitFor();
  assert.equal(await page.getByLabel('Creator', { exact: true }).inputValue(), '');
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
  await page.getByText('Shown: all keys, newest first. This page: 20 keys, created ').waitFor();
  assert.equal(await page.getByLabel('Status').inputValue(), '');
});

/** How many entries the history has. */
const entries = (page: Page) => page.evaluate<number>('history.length');
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

test('Clear all empties a typed field, and adds no entry to the history where nothing was filtered', async t => {
  const page = await signedIn(t, served);
  const before = await entries(page);
  await field(page, 'Workspace').pressSequentially('wrkspc_1');
  await page.getByRole('button', { name: 'Clear all' }).click();
  assert.equal(await field(page, 'Workspace').inputValue(), '');
  await field(page, 'Status').focus(); // leaving the field applies nothing
  assert.deepEqual([page.url(), await entries(page)], [served.url, before]);
  await field(page, 'Status').selectOption('active');
  await page.waitForURL(`${served.url}?status=active`);
});

test('Next never turns the page of an unfiltered list under a filled field', async t => {
  const page = await signedIn(t, served);
  await field(page, 'Workspace').pressSequentially('wrkspc_1');
  await pagerButton(page, 'Next').click();
  await page.waitForURL(`${served.url}?workspace_id=wrkspc_1`);
  await settled(page);
  assert.deepEqual(
    await names(page),
    firstNames(key => key.workspaceId === 'wrkspc_1'),
  );
});

test('a changed filter keeps the place in time, and the list says what it shows', async t => {
  const before = new Date(Number(keys[10]?.createdAt) / 1_000).toISOString();
  const page = await signedIn(t, served, { at: `?limit=5&after_id=k14#created_before=${before}` });
  await field(page, 'Status').selectOption('active');
  await page.waitForURL(`${served.url}?status=active&limit=5#created_before=${encodeURIComponent(before)}`);
  await settled(page);
  assert.deepEqual(
    await names(page),
    keys
      .filter((key, number) => number > 10 && key.status === 'active')
      .slice(0, 5)
      .map(({ name }) => name),
  );
  const summary = await page.locator('.summary').innerText();
  const day = (number: number) =>
    new Date(Number(keys[number]?.createdAt) / 1_000).toISOString().slice(0, 10);
  assert.match(
    summary,
    /^Shown: active, created before \d{4}-\d\d-\d\d [^,]*, newest first\. This page: 5 keys, created /,
  );
  assert(summary.endsWith(`${day(11)} to ${day(17)}.`), summary);
  await page.getByRole('link', { name: 'wrkspc_3' }).first().click();
  await page.waitForURL(/workspace_id=wrkspc_3.*#created_before=/);
});

test('chips name the filters and remove them one by one, by keyboard too', async t => {
  const page = await signedIn(t, served, {
    at: '?status=active&created_by_user_id=user_1&limit=50#created_from=2020-01-01',
  });
  const chips = page.getByRole('list', { name: 'Active filters' });
  const words = ['active', 'created by user_1', 'created from 2020-01-01 on'];
  assert.deepEqual(
    (await chips.getByRole('listitem').allInnerTexts()).map(text => text.replace(/\s*×$/, '')),
    words,
  );
  await page.getByRole('button', { name: 'Remove filter: active' }).press('Enter');
  await page.waitForURL(`${served.url}?created_by_user_id=user_1&limit=50#created_from=2020-01-01`);
  assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Remove filter: created by user_1');
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.waitForURL(`${served.url}?limit=50`);
  await chips.waitFor({ state: 'detached' });
});

test('dates filter by time, and a typed year is not applied before it is whole', async t => {
  const page = await signedIn(t, served);
  const before = await entries(page);
  const day = new Date(Number(keys[20]?.createdAt) / 1_000).toISOString().slice(0, 10);
  await field(page, 'Created before').focus();
  await page.keyboard.type(`${day.slice(5, 7)}${day.slice(8)}${day.slice(0, 4)}`);
  await page.waitForURL(`${served.url}#created_before=${day}`);
  await settled(page);
  assert.deepEqual(
    await names(page),
    keys.slice(21).map(({ name }) => name),
  );
  assert.equal(await entries(page), before + 1);
});

test('the pick lists have the workspaces and creators that were seen, and the default workspace', async t => {
  const page = await signedIn(t, served);
  const choices = await page.evaluate<string[][]>(
    "[...document.querySelectorAll('datalist')].map(list => [...list.options].map(({ value }) => value).sort())",
  );
  assert.deepEqual(choices, [
    ['Default workspace', 'wrkspc_0', 'wrkspc_1', 'wrkspc_2', 'wrkspc_3'],
    ['user_0', 'user_1'],
  ]);
  await field(page, 'Workspace').fill('default workspace');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${served.url}#default_workspace=true`);
  await settled(page);
  assert.deepEqual(
    await names(page),
    firstNames(key => key.workspaceId === null),
  );
  assert.equal(await field(page, 'Workspace').inputValue(), 'Default workspace');
  await field(page, 'Workspace').fill('wrkspc_2');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${served.url}?workspace_id=wrkspc_2`);
});

test('the rows of the list before say so while another list fails', async t => {
  const page = await signedIn(t, served);
  await page.route('**/api_keys?*', route => route.abort(), { times: 1 });
  await field(page, 'Status').selectOption('archived');
  await page.getByText('The service could not be reached').waitFor();
  assert.match(await page.locator('.summary').innerText(), /^Still shown: all keys/);
  assert.equal((await names(page)).length, 20);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Shown: archived').waitFor();
});

test('the keys of a list are downloaded, and no others', async t => {
  const page = await signedIn(t, served, { at: '?status=archived#default_workspace=true' });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download JSON' }).click(),
  ]);
  const records: { name: string }[] = JSON.parse(await text(await file.createReadStream()));
  assert.deepEqual(
    records.map(({ name }) => name),
    keys.filter(key => key.status === 'archived' && key.workspaceId === null).map(({ name }) => name),
  );
});

test('a full key in a filter is not sent and gets into no address, and its field is emptied', async t => {
  const page = await signedIn(t, served);
  const requests: string[] = [];
  page.on('request', request => requests.push(request.url()));
  const key = 'sk-ven-api03-R2Dq8mZrT4xVb7Lw1KjYh9NcE5sPaU3fGo6igAA';
  for (const text of [key, `Bearer ${key}`, `API_KEY="${key}"`])
    for (const field of ['Workspace', 'Creator']) {
      await page.getByLabel(field, { exact: true }).fill(text);
      await page.keyboard.press('Enter');
      await page.getByText('That looks like a full key').waitFor();
      assert.equal(await page.getByLabel(field, { exact: true }).inputValue(), '');
    }
  assert.deepEqual([page.url(), requests], [served.url, []]);
  await page.getByLabel('Workspace', { exact: true }).fill('wrkspc_3');
  await page.keyboard.press('Enter');
  await page.waitForURL(/wrkspc_3/);
  assert.equal(await page.getByText('That looks like a full key').count(), 0);
});
