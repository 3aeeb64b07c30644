import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import {
  listQueries,
  names,
  servedConsole,
  settled,
  signedIn,
  signInAgain,
  visit,
} from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const keys = numberedKeys(60);
const served = await servedConsole(suiteScope(), keys);
const field = await served.writer.addField({ name: 'calls', type: { kind: 'integer' } });
await served.writer.putApiKeys(served.organization, [
  { ...(keys[1] as ApiKey), declared: [{ field, value: 7 }] },
]);

const drawer = (page: Page) => page.getByRole('dialog');
const closed = (page: Page) => drawer(page).waitFor({ state: 'detached' });

async function recordOf(page: Page): Promise<Record<string, string>> {
  await drawer(page).locator('dl').waitFor();
  const terms = await drawer(page).locator('dt').allInnerTexts();
  const values = await drawer(page).locator('dd').allInnerTexts();
  return Object.fromEntries(
    terms.map((term, index) => [term, (values[index] ?? '').replaceAll(/(\s|\bCopy\b)+/g, ' ').trim()]),
  );
}

test('a row or a link opens the whole record of its key, whose parts are copied, which leads to its place and its like, and Escape gives the list back', async t => {
  const page = await signedIn(t, served, {
    at: '?created_from=2020-01-01&limit=20',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const queries = listQueries(page);
  await page.getByRole('link', { name: 'Key 1', exact: true }).focus();
  await page.keyboard.press('Enter');
  const { Created, ...record } = await recordOf(page);
  assert.deepEqual(record, {
    Name: 'Key 1',
    ID: 'k1',
    Hint: 'sk-ven-api03-R2D...igAA',
    Status: 'active',
    Workspace: 'wrkspc_1',
    Creator: 'user_1 user',
    Calls: '7',
  });
  assert.match(Created ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6} UTC, 1 day ago$/);
  await drawer(page).getByRole('button', { name: 'Copy hint' }).click();
  await drawer(page).getByText('Copied', { exact: true }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), record.Hint);
  for (const name of ['Copy ID', 'Copy creator']) await drawer(page).getByRole('button', { name }).waitFor();
  assert.equal(page.url(), `${served.url}roster?created_from=2020-01-01&limit=20#key=k1`);
  await page.keyboard.press('Escape');
  await closed(page);
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Key 1');
  assert.equal(page.url(), `${served.url}roster?created_from=2020-01-01&limit=20`);
  await page.goForward();
  await drawer(page).waitFor();
  await page.goBack();
  await closed(page);
  const entries = await page.evaluate('history.length');
  for (const name of ['Key 4', 'Key 5']) {
    await page.getByRole('link', { name, exact: true }).click();
    await drawer(page).getByRole('button', { name: 'Close' }).click();
    await closed(page);
  }
  assert.equal(await page.evaluate('history.length'), entries);
  assert.deepEqual(queries, [], 'the list was loaded again');

  await visit(page, served, '?limit=5&status=archived#key=k37');
  assert.equal((await recordOf(page)).ID, 'k37');
  await signInAgain(page, served);
  assert.equal((await recordOf(page)).Name, 'Key 37');
  await drawer(page).getByRole('link', { name: 'Show it among all keys' }).click();
  await closed(page);
  await page.waitForURL(`${served.url}roster?after_id=k36`);
  await settled(page);
  assert.equal((await names(page))[0], 'Key 37');
  await visit(page, served, '?status=active&limit=50#key=k1');
  await drawer(page).getByRole('link', { name: 'wrkspc_1' }).click();
  await closed(page);
  assert.equal(page.url(), `${served.url}roster?status=active&workspace_id=wrkspc_1&limit=50`);
  await visit(page, served, '#key=k999');
  await drawer(page).getByText('There is no such key.').waitFor();
  await page.keyboard.press('Escape');
  await closed(page);
  assert.equal((await names(page)).length, 20);
});
