import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import {
  download,
  enter,
  listQueries,
  names,
  openMenu,
  servedConsole,
  settled,
  signedIn,
  visit,
} from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const keys = numberedKeys(40).map((key, number) =>
  number % 10 === 9 ? { ...key, status: 'archived' as const } : key,
);
const served = await servedConsole(suiteScope(), keys);
const dayOf = (number: number) =>
  new Date(Number(keys[number]?.createdAt) / 1_000).toISOString().slice(0, 10);
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const entries = (page: Page) => page.evaluate<number>('history.length');

/** Waits for the list at this address, and asserts that it has exactly the newest of these keys. */
async function shows(page: Page, address: string, isMatch: (key: ApiKey) => boolean): Promise<void> {
  await page.waitForURL(`${served.url}roster${address}`);
  await settled(page);
  const expected = keys.filter(isMatch).slice(0, 20);
  assert.deepEqual(
    await names(page),
    expected.map(({ name }) => name),
  );
}

test('the roster is filtered by status, workspace and creator, picked, typed or clicked', async t => {
  const page = await signedIn(t, served);
  for (const status of ['active', 'inactive', 'archived'] as const) {
    await field(page, 'Status').selectOption(status);
    await shows(page, `?status=${status}`, key => key.status === status);
    assert.deepEqual(new Set(await page.locator('.badge').allTextContents()), new Set([status]));
  }
  await visit(page, served, '');
  assert.equal(await field(page, 'Status').inputValue(), '');
  await enter(page, 'Workspace', ' wrkspc_3 ');
  await shows(page, '?workspace_id=wrkspc_3', key => key.workspaceId === 'wrkspc_3');
  await page.getByRole('link', { name: 'user_1' }).first().click();
  await shows(
    page,
    '?workspace_id=wrkspc_3&created_by_user_id=user_1',
    key => key.workspaceId === 'wrkspc_3' && key.createdBy.id === 'user_1',
  );
  assert.equal(await field(page, 'Creator').inputValue(), 'user_1');
  await field(page, 'Status').selectOption('archived');
  await page.getByRole('link', { name: 'Clear all' }).click();
  await shows(page, '', () => true);
  await page.getByText('20 keys, created ').first().waitFor();

  await enter(page, 'Workspace', 'default workspace');
  await shows(page, '#default_workspace=true', key => key.workspaceId === null);
  assert.equal(await field(page, 'Workspace').inputValue(), 'Default workspace');
  await visit(page, served, '?created_by_user_id=user_1&workspace_id=wrkspc_0');
  await page.getByText('No API key matches these filters.').waitFor();
  await page.getByRole('link', { name: 'Show all keys' }).click();
  await shows(page, '', () => true);
});

test('chips remove filters one by one, and dates filter by time, a typed one not before its year is whole', async t => {
  const page = await signedIn(t, served, {
    at: '?status=active&created_by_user_id=user_1&limit=5&created_from=2020-01-01',
  });
  const chips = page.getByRole('list', { name: 'Active filters' });
  assert.deepEqual(
    (await chips.getByRole('listitem').allInnerTexts()).map(text => text.replace(/\s*×$/, '')),
    ['active', 'created by user_1', 'created from 2020-01-01 on', 'Clear all'],
  );
  await page.getByRole('button', { name: 'Remove filter: active' }).press('Enter');
  await page.waitForURL(`${served.url}roster?created_by_user_id=user_1&created_from=2020-01-01&limit=5`);
  assert.equal(await page.evaluate('document.activeElement.id'), 'content', 'the focus is lost');
  await page.getByRole('link', { name: 'Clear all' }).click();
  await page.waitForURL(`${served.url}roster?limit=5`);
  await chips.waitFor({ state: 'detached' });
  await visit(page, served, '');
  const length = await entries(page);
  const day = dayOf(20);
  await openMenu(page);
  await field(page, 'Created before').focus();
  await page.keyboard.type(`${day.slice(5, 7)}${day.slice(8)}${day.slice(0, 4)}`);
  await shows(page, `?created_before=${day}`, key => keys.indexOf(key as never) > 20);
  assert.equal(await entries(page), length + 1);
  const time = new Date(Number(keys[10]?.createdAt) / 1_000).toISOString();
  await visit(page, served, `?limit=5&after_id=k14&created_before=${time}`);
  assert.equal(await field(page, 'Created before').inputValue(), dayOf(10));
  await field(page, 'Status').selectOption('active');
  await page.waitForURL(
    `${served.url}roster?status=active&created_before=${encodeURIComponent(time)}&limit=5`,
  );
  await settled(page);
  const expected = keys.filter((key, number) => number > 10 && key.status === 'active').slice(0, 5);
  assert.deepEqual(
    await names(page),
    expected.map(({ name }) => name),
  );
  await visit(page, served, '?status=archived#default_workspace=true');
  const { content } = await download(page, 'Download JSON');
  assert.deepEqual(
    JSON.parse(content).map(({ name }: ApiKey) => name),
    keys.filter(key => key.status === 'archived' && key.workspaceId === null).map(({ name }) => name),
  );
});

test('filters that can not be right are told with what to do, and nothing is read', async t => {
  const page = await signedIn(t, served);
  const queries = listQueries(page);
  await visit(page, served, '#default_workspace=yes');
  await page.getByText("The list can't be filtered like this").waitFor();
  await page.getByText('default_workspace: must be true').waitFor();
  assert.deepEqual(queries, []);
  await visit(page, served, '?status=bogus&created_from=2025-02-30&created_before=2030-01-01');
  // in the service's words
  await page.getByText(/status: must be .*; created_from: must be an RFC 3339 timestamp/).waitFor();
  await visit(page, served, '?name=Key+1'); // as a link may have it
  assert.deepEqual(await names(page), ['Key 1']);
  await visit(page, served, '#expired=true');
  await page.getByText("the service doesn't tell the expires_at of keys").waitFor();
  await openMenu(page);
  assert.equal(await page.getByLabel('Unused for').count(), 0, 'a menu for a time that no key tells');
  await visit(page, served, '#breaks=any');
  await page.getByText('breaks: needs the policies file that has it').waitFor();
  await visit(page, served, '#creator_state=left');
  await page.getByText('needs a directory').waitFor();
  await visit(page, served, '#sort=x');
  await page.getByText('sort: the console has no such filter').waitFor();
  assert.equal(await page.locator('tbody tr').count(), 0);
  await page.getByRole('button', { name: 'Remove filter: sort, which is unknown' }).click();
  await shows(page, '', () => true);
});

test('a full key in a filter is not sent and gets into no address, and its field is emptied', async t => {
  const page = await signedIn(t, served);
  const queries = listQueries(page);
  const key = 'sk-ven-api03-R2Dq8mZrT4xVb7Lw1KjYh9NcE5sPaU3fGo6igAA';
  for (const [label, text] of [
    ['Workspace', key],
    ['Creator', `API_KEY="${key}"`],
    ['Workspace', 'AKIAIOSFODNN7EXAMPLE'],
  ] as const) {
    await enter(page, label, text);
    await page.getByText('That looks like a full key').waitFor();
    assert.equal(await field(page, label).inputValue(), '');
  }
  assert.deepEqual([page.url(), queries], [`${served.url}roster`, []]);
});
